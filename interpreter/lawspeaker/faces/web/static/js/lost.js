// The page for an invalid link, in the reader's language.

import { load, initialLanguage } from "./words.js";

load(initialLanguage(["en", "de", "it", "fr"]));
