// Compresses texts for the fragment of a link, which browsers send to no server.

const through = (bytes, Through) => new Blob([bytes]).stream().pipeThrough(Through);

/** Compresses a text to letters, digits, `-` and `_`. */
export async function compress(text) {
  const stream = through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (each) => String.fromCharCode(each)).join("");
  return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Decompresses a text up to a number of bytes; throws for an invalid one. Few letters can expand to very many bytes,
 *  so the output is counted as it arrives. */
export async function decompress(letters, most) {
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
