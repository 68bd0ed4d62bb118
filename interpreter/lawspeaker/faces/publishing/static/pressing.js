// Texts pressed together for a link, behind its `#`, which browsers send to no host.

const through = (bytes, Through) => new Blob([bytes]).stream().pipeThrough(Through);

/** A text as letters, digits, `-` and `_`. */
export async function press(text) {
  const stream = through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (each) => String.fromCharCode(each)).join("");
  return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** The text again, if it has at most so many bytes; throws where it is none. A few letters can stand for very many, so
 *  what comes out is counted as it comes. */
export async function unpress(letters, most) {
  const plain = atob(letters.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(plain, (each) => each.charCodeAt(0));
  const reader = through(bytes, new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [text, size] = ["", 0];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > most) {
      reader.cancel().catch(() => {});
      throw new Error("too large");
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}
