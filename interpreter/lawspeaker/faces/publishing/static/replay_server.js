// Back end of a replay in one file: all data are compressed in the page.

const text = JSON.parse(document.getElementById("game").textContent);
const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
const known = new Response(plain).json();
const pictures = new Map(); // by view, the pictures so far as lists of parts

export const served = false;
export const token = "";
export const address = () => null;

export async function ask(path) {
  const game = await known;
  const { pathname, searchParams } = new URL(path, "http://file.invalid");
  if (pathname === "/api/words") return Response.json(game.words);
  if (pathname !== "/api/scene/") return Response.json({ error: { message: pathname } }, { status: 404 });
  const seat = searchParams.get("seat") ?? game.first;
  const view = game.views[`${seat}/${searchParams.get("shape")}`];
  const at = Number(searchParams.get("after") ?? game.last);
  const log = game.logs[seat].filter((entry) => entry.reply <= at);
  const scene = { ...view[at].scene, svg: picture(game, view, at), log };
  return Response.json({ ...game.message, at, seat: seat === "" ? null : Number(seat), scene });
}

/** Restores a picture from its diff. */
function picture(game, view, at) {
  if (!pictures.has(view)) pictures.set(view, []);
  const made = pictures.get(view);
  while (made.length <= at) {
    const before = made.at(-1);
    const parts = view[made.length].parts;
    made.push(parts.flatMap((part) => (Array.isArray(part) ? before.slice(part[0], part[1]) : [game.texts[part]])));
  }
  return made[at].join("<g ");
}
