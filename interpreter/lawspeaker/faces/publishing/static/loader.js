// Turns the inlined modules into blobs, in dependency order, and starts the last one.
{
  const made = new Map();
  for (const [name, text] of JSON.parse(document.getElementById("modules").textContent)) {
    const linked = text.replace(/"module:([^"]+)"/g, (_, other) => JSON.stringify(made.get(other)));
    made.set(name, URL.createObjectURL(new Blob([linked], { type: "text/javascript" })));
  }
  import([...made.values()].at(-1));
}
