(() => {
  const form = document.querySelector('.filters');
  const all = [...document.querySelectorAll('tbody.difference')];
  const groups = [...form.querySelectorAll('button[name=group]')];
  const none = document.getElementById('none');
  const output = form.querySelector('output');
  let group = '';
  const apply = () => {
    const kind = form.elements.kind.value, telling = form.elements.telling.value;
    let shown = 0;
    for (const each of all) {
      const data = each.dataset;
      const fits = (!group || data.group === group) && (!kind || data.kind === kind)
        && (!telling || data.tellings.split(' ').includes(telling));
      each.hidden = !fits;
      shown += fits;
    }
    for (const each of groups) each.setAttribute('aria-pressed', each.value === group);
    const told = output.dataset.shown.replace('{shown}', shown).replace('{all}', all.length);
    output.value = shown === all.length ? '' : told;
    none.hidden = shown > 0;
  };
  for (const each of groups) each.onclick = () => { group = each.value; apply(); };
  form.onchange = apply;
  const opener = form.elements.open;
  const words = { false: opener.textContent, true: opener.dataset.close };
  const open = (state) => {
    for (const each of document.querySelectorAll('details')) each.open = state;
    opener.setAttribute('aria-pressed', state);
    opener.textContent = words[state];
  };
  opener.onclick = () => open(opener.getAttribute('aria-pressed') !== 'true');
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
  reveal();
  apply();
})();
