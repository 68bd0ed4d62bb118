// Waits until boxes are where they were a moment ago.
() => new Promise((done) => {
  let before = "";
  let same = 0;
  const look = () => {
    const all = document.querySelectorAll("body, .bar *, main, main section, svg.table, .options li");
    const now = [...all].map((each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      return [x, y, width, height].map(Math.round).join();
    }).join(" ");
    same = now === before ? same + 1 : 0;
    before = now;
    if (same < 3) requestAnimationFrame(look);
    else done();
  };
  look();
})
