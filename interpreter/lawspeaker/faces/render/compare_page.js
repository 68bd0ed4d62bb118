(() => {
  const form = document.querySelector('.filters');
  const all = [...document.querySelectorAll('tbody.difference')];
  const groups = [...form.querySelectorAll('button[name=group]')];
  const none = document.getElementById('none');
  const output = form.querySelector('output');
  const table = document.querySelector('table.differences');
  const others = [...document.querySelectorAll('tbody.same, .terms tbody tr')];
  const rank = { matters: (each) => groups.findIndex((one) => one.value === each.dataset.group),
                 book: () => 0,
                 kind: (each) => kinds.indexOf(each.dataset.kind) };
  const kinds = [...form.elements.kind?.options ?? []].map((each) => each.value);
  const folded = (text) => text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss').split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const has = (each, wanted) => {
    const words = ` ${each.dataset.words}`;
    return wanted.every((word) => words.includes(` ${word}`));
  };
  let group = '', order = '';
  const sort = () => {
    const by = form.elements.by?.value;
    if (!by || by === order) return;
    order = by;
    const found = [...all].sort((one, other) => rank[by](one) - rank[by](other)
      || one.dataset.number - other.dataset.number);
    const same = document.querySelectorAll('tbody.same');
    table.append(...found, ...same);
  };
  const apply = () => {
    const kind = form.elements.kind?.value, telling = form.elements.telling?.value;
    const wanted = folded(form.elements.find.value);
    let shown = 0;
    for (const each of all) {
      const data = each.dataset;
      const fits = (!group || data.group === group) && (!kind || data.kind === kind)
        && (!telling || data.tellings.split(' ').includes(telling)) && has(each, wanted);
      each.hidden = !fits;
      shown += fits;
    }
    for (const each of others) each.hidden = !has(each, wanted);
    for (const each of groups) each.setAttribute('aria-pressed', each.value === group);
    const told = output.dataset.shown.replace('{shown}', shown).replace('{all}', all.length);
    output.value = shown === all.length ? '' : told;
    none.hidden = shown > 0;
    sort();
  };
  for (const each of groups) each.onclick = () => { group = each.value; apply(); };
  form.onchange = apply;
  form.oninput = apply;
  form.onsubmit = (event) => event.preventDefault();
  form.elements.ids.onclick = ({ target }) => {
    target.setAttribute('aria-pressed', document.body.classList.toggle('with-ids'));
  };
  const opener = form.elements.open;
  if (opener) {
    const words = { false: opener.textContent, true: opener.dataset.close };
    opener.onclick = () => {
      const state = opener.getAttribute('aria-pressed') !== 'true';
      for (const each of document.querySelectorAll('details')) each.open = state;
      opener.setAttribute('aria-pressed', state);
      opener.textContent = words[state];
    };
  }
  const reveal = () => {
    const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const details = row && row.querySelector('details');
    if (details) details.open = true;
  };
  let before = [];
  addEventListener('beforeprint', () => {
    before = [...document.querySelectorAll('.play details:not([open])')];
    for (const each of before) each.open = true;
  });
  addEventListener('afterprint', () => { for (const each of before) each.open = false; });
  addEventListener('hashchange', reveal);
  form.hidden = false;
  const bar = () => document.body.style.setProperty('--bar', `${form.offsetHeight}px`);
  new ResizeObserver(bar).observe(form);
  reveal();
  apply();
})();
