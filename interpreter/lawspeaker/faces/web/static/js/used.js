// The page of a used invitation: leads its user to the seat, and tells everybody else.

import { askMine, storedKey } from "./key.js";
import { token } from "./server.js";
import { load, initialLanguage } from "./words.js";

async function begin() {
  const answer = storedKey() ? await askMine("/api/home/seat", { link: token }).catch(() => null) : null;
  const { link } = answer?.ok ? await answer.json() : { link: null };
  if (link) location.replace(link);
  else await load(initialLanguage(["en", "de", "it", "fr"]));
}

begin();
