// A link that leads nowhere, in the reader's language.

import { load, preferred } from "./words.js";

load(preferred(["en", "de", "it", "fr"]));
