// The page of a used invitation: leads its user to the seat, and tells everybody else.

import { askMine, key } from "./key.js";
import { token } from "./server.js";
import { load, preferred } from "./words.js";

async function begin() {
  const answer = key() ? await askMine("/api/home/seat", { link: token }).catch(() => null) : null;
  const { link } = answer?.ok ? await answer.json() : { link: null };
  if (link) location.replace(link);
  else await load(preferred(["en", "de", "it", "fr"]));
}

begin();
