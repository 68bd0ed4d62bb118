// Opened from a disk, a page can load no modules: says so, in the reader's language.

if (location.protocol === "file:") {
  const note = document.getElementById("disk");
  const wanted = navigator.languages.map((each) => each.slice(0, 2));
  const found = wanted.find((each) => note.querySelector(`[lang="${each}"]`)) ?? "en";
  note.hidden = false;
  note.querySelector(`[lang="${found}"]`).hidden = false;
}
