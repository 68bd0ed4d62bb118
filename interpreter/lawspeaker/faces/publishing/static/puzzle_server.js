// Back end of puzzles in one file: all data are compressed in the page.

const text = JSON.parse(document.getElementById("game").textContent);
const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));

/** The puzzles, and the phrases of the page by language. */
export const puzzleData = new Response(plain).json();

export async function ask(path) {
  const { words } = await puzzleData;
  const wanted = new URL(path, "http://file.invalid").searchParams.get("language");
  const language = wanted in words ? wanted : Object.keys(words)[0];
  return Response.json({ language, words: words[language] });
}
