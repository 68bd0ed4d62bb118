// What is wrong with a table in the window as it is: what is cut, covered, out of sight or too small.
() => {
  const found = [];
  const shown = (each) => each && each.checkVisibility({ visibilityProperty: true });
  const box = (each) => each.getBoundingClientRect();
  const called = (each) => each.id || each.className?.baseVal || each.className || each.tagName;
  const within = (one, other) => one.left >= other.left - 1 && one.right <= other.right + 1
    && one.top >= other.top - 1 && one.bottom <= other.bottom + 1;
  const window_ = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const inside = (each, what) => {
    if (!within(box(each), window_)) found.push(`${what} is not within the window`);
  };
  const apart = (all) => {
    all.forEach((one, at) => all.slice(at + 1).forEach((other) => {
      const [a, b] = [box(one), box(other)];
      const over = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (over > 1 && down > 1) found.push(`${called(one)} and ${called(other)} overlap`);
    }));
  };
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) found.push("the page scrolls");

  const parts = [...document.querySelectorAll(".bar, .proposal, .stage, .question, .story")].filter(shown);
  for (const each of parts) inside(each, called(each));
  apart(parts);
  const bar = [...document.querySelectorAll(".bar > :not(nav), .bar nav > :not(.further), .further:not(.open) > *")].filter(shown);
  for (const each of bar) inside(each, called(each));
  apart(bar);
  for (const each of document.querySelectorAll(".bar button, .option .name, .question h2, .question .who span, .beyond")) {
    if (shown(each) && each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 1) found.push(`${called(each)} is cut: ${each.textContent}`);
  }

  if (document.body.dataset.state === "asked") {
    const prompt = document.querySelector("#prompt");
    inside(prompt, "the question");
    if (!within(box(prompt), box(document.querySelector(".question")))) found.push("the question is cut");
    const list = document.querySelector(".options");
    if (list.scrollWidth > list.clientWidth + 1) found.push("the options are cut at the side");
    const all = [...list.children].filter(shown);
    const seen = all.filter((each) => within(box(each), window_) && within(box(each), box(list)));
    const mark = document.querySelector(".beyond");
    if (all.length && !seen.length) found.push("no option is seen");
    if (seen.length < all.length && !(shown(mark) && within(box(mark), window_))) found.push("options go on, and nothing says so");
    if (seen.length < Math.min(4, all.length)) found.push(`only ${seen.length} options are seen`);
    if (seen.length) {
      const { x, y, width, height } = box(seen[0]);
      if (!seen[0].contains(document.elementFromPoint(x + width / 2, y + height / 2))) found.push("something covers the first option");
    }
  }

  const picture = document.querySelector("svg.table");
  const [drawn, frame] = [box(picture), box(document.querySelector("#table"))];
  const scale = drawn.width / picture.viewBox.baseVal.width;
  if (scale < (frame.width < 620 ? 0.5 : 0.6)) found.push(`the table is drawn at ${scale.toFixed(2)}`);
  if (drawn.width < 0.55 * frame.width && drawn.height < 0.8 * frame.height && scale < 2) found.push("the table leaves its room empty");
  // Wider than its room only where it could not be read otherwise, and then there are buttons to see all of it.
  if (drawn.width > frame.width + 2 && scale > 0.65) found.push("the table is wider than its room");
  if (drawn.width > frame.width + 2 && !shown(document.querySelector("#zooming button:last-child"))) found.push("the table goes on, and nothing shows all of it");
  return found;
}
