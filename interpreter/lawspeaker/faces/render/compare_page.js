(() => {
  const form = document.querySelector('.filters');
  const all = [...document.querySelectorAll('tbody.difference')];
  const groups = [...form.querySelectorAll('button[name=group]')];
  const none = document.getElementById('none');
  const output = form.querySelector('output');
  const table = document.querySelector('table.differences');
  const points = [...document.querySelectorAll('tbody.same')];
  const terms = [...document.querySelectorAll('.terms tbody tr')];
  const rank = { matters: (each) => groups.findIndex((one) => one.value === each.dataset.group),
                 book: () => 0,
                 kind: (each) => kinds.indexOf(each.dataset.kind) };
  const kinds = [...form.elements.kind?.options ?? []].map((each) => each.value);
  const folded = (text) => text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss').split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const box = form.elements.find, endings = new RegExp(box.dataset.endings, 'u');
  const stem = (word) => { const cut = word.match(endings); return cut ? cut[1] ?? cut[2] : word; };
  const alike = JSON.parse(box.dataset.alike).map((own) => own.map((each) => each.split(' ')));
  const others = (word) => alike.filter((own) =>
    own.some((each) => each.length === 1 && stem(each[0]) === stem(word))).flat();
  const stems = new Map();
  const stemsOf = (each) => {
    if (!stems.has(each)) stems.set(each, new Set(each.dataset.words.split(' ').map(stem)));
    return stems.get(each);
  };
  // As `Search.rank` has it: by the title, as written, in another form, by another word; or not.
  const TITLE = 0, SAID = 1, INFLECTED = 2, ALIKE = 3, NOT = 4;
  const rankOf = (each, wanted) => {
    const title = ` ${folded(each.querySelector('.title')?.textContent ?? '').join(' ')}`;
    if (wanted.every((one) => title.includes(` ${one.word}`))) return TITLE;
    const words = ` ${each.dataset.words}`;
    return Math.max(...wanted.map(({ word, also }) => {
      if (words.includes(` ${word}`)) return SAID;
      const own = stemsOf(each);
      if (own.has(stem(word))) return INFLECTED;
      return also.some((other) => other.every((one) => own.has(stem(one)))) ? ALIKE : NOT;
    }));
  };
  const does = (each, asked) => !asked.length || each.dataset.does.split(';').some((row) => {
    const cells = row.split('|');
    return asked.every(({ dataset, value }) => cells[dataset.telling].split(' ').includes(value));
  });
  const asking = [...form.querySelectorAll('select[name=where]')];
  const further = form.querySelector('.further b');
  let group = '', order = '';
  const sort = (ranks) => {
    const by = form.elements.by?.value ?? 'book';
    const sorted = [...all].sort((one, other) => ranks.get(one) - ranks.get(other)
      || rank[by](one) - rank[by](other) || one.dataset.number - other.dataset.number);
    const now = sorted.map((each) => each.dataset.number).join();
    if (now === order) return;
    order = now;
    table.append(...sorted, ...points);
  };
  const apply = () => {
    const kind = form.elements.kind?.value, telling = form.elements.telling?.value;
    const wanted = folded(box.value).map((word) => ({ word, also: others(word) }));
    const asked = asking.filter((each) => each.value);
    const ranks = new Map(all.map((each) => [each, rankOf(each, wanted)]));
    let shown = 0;
    for (const each of all) {
      const data = each.dataset;
      const fits = (!group || data.group === group) && (!kind || data.kind === kind)
        && (!telling || data.tellings.split(' ').includes(telling)) && does(each, asked)
        && ranks.get(each) < NOT;
      each.hidden = !fits;
      shown += fits;
    }
    for (const each of points) each.hidden = rankOf(each, wanted) === NOT || !does(each, asked);
    for (const each of terms) each.hidden = rankOf(each, wanted) >= ALIKE;
    for (const each of groups) each.setAttribute('aria-pressed', each.value === group);
    const told = output.dataset.shown.replace('{shown}', shown).replace('{all}', all.length);
    output.value = shown === all.length ? '' : told;
    if (further) further.textContent = asked.length + !!kind + !!telling || '';
    none.hidden = shown > 0;
    sort(ranks);
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
      for (const each of document.querySelectorAll('tbody details')) each.open = state;
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
    before = [...document.querySelectorAll('header details, caption details, .play details')]
      .filter((each) => !each.open);
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
