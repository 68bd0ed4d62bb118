// The page for an invalid link, in the reader's language.

import { load, preferred } from "./words.js";

load(preferred(["en", "de", "it", "fr"]));
