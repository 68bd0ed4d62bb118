// What somebody with a telephone in the hand misses of the table when a question is asked.
() => {
  const found = [];
  const box = (each) => each.getBoundingClientRect();
  const seen = (each) => each.checkVisibility({ visibilityProperty: true }) && box(each).width > 2;
  const called = (each) => each.dataset?.thing ?? (each.id || each.className?.baseVal || each.className || each.tagName);
  const within = (one, other) => one.left >= other.left - 1 && one.right <= other.right + 1
    && one.top >= other.top - 1 && one.bottom <= other.bottom + 1;
  const frame = box(document.querySelector(".looked-at"));
  const window_ = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };

  // What the question is about, what can be pointed at, one's hand, and the middle of the table.
  const all = (kinds) => [...document.querySelectorAll(kinds)].filter(seen);
  for (const each of all("svg .choosable:not(.later), svg .means, svg .about, svg .own")) {
    if (!within(box(each), frame)) found.push(`${called(each)} is not seen whole`);
  }
  const shared = all("svg .place").filter((each) => !each.closest(".strip, .own")).map(box);
  if (shared.length) {
    const x = (Math.min(...shared.map(({ left }) => left)) + Math.max(...shared.map(({ right }) => right))) / 2;
    const y = (Math.min(...shared.map(({ top }) => top)) + Math.max(...shared.map(({ bottom }) => bottom))) / 2;
    if (!within({ left: x, right: x, top: y, bottom: y }, frame)) found.push("the middle of the table is not seen");
  }
  const asked = document.querySelector("#prompt");
  if (!asked || !within(box(asked), window_)) found.push("the question is not seen");
  if (!all(".options li, svg .choosable").length) found.push("nothing can be answered");

  // A finger needs 40 pixels.
  for (const each of all("button, a, select, input, summary")) {
    const { width, height } = box(each);
    const pressed = getComputedStyle(each).pointerEvents !== "none";
    if (pressed && Math.min(width, height) < 39.5) found.push(`${called(each)} is ${width.toFixed()}×${height.toFixed()}`);
  }

  // Words need 12; those on pieces belong to their looks, and are told of them as well.
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: each, textContent: text } = { parentElement: walker.currentNode.parentElement, textContent: walker.currentNode.textContent.trim() };
    if (!text || !seen(each) || each.closest("defs, .piece")) continue;
    const inPicture = each.closest("svg");
    const size = inPicture ? Number(each.getAttribute("font-size")) * each.getScreenCTM().a : parseFloat(getComputedStyle(each).fontSize);
    if (size < 11.95) found.push(`“${text}” is written ${size.toFixed(1)} high`);
  }

  // What a marker is called, whose sign it shows and its value lie beside each other.
  for (const marker of all("svg .marker")) {
    const parts = [...marker.querySelectorAll("text, circle:has(+ text)")].filter((each) => seen(each) && !each.matches("circle + text"));
    for (const [at, one] of parts.entries()) {
      for (const other of parts.slice(at + 1)) {
        const [left, right] = [box(one), box(other)];
        const across = Math.min(left.right, right.right) - Math.max(left.left, right.left);
        const down = Math.min(left.bottom, right.bottom) - Math.max(left.top, right.top);
        if (across > 1 && down > 3) found.push(`“${one.textContent}” touches “${other.textContent}” of ${marker.dataset.what}`);
      }
    }
  }
  return [...new Set(found)];
}
