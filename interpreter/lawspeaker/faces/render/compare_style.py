"""How the page of a comparison looks, and the little script of its filters."""

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #fbfaf6; --card: #ffffff; --ink: #22201c; --soft: #655f55; --line: #e2dccf;
  --accent: #0f5c66; --wash: #f1ede3; --code: #f5f2ea; --other: #fdf1d8; --edge: #b46a00;
  --states: #3f6b3a; --implies: #2f5f8f; --silent: #8a5a00; --our_ruling: #7b3f7f;
  --says_otherwise: #a1361f; --contradicts_itself: #a1361f;
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, Charter, Georgia, serif;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #171614; --card: #1f1e1b; --ink: #e9e4d8; --soft: #a9a191; --line: #36332c;
    --accent: #7fc8cf; --wash: #24221e; --code: #1b1a17; --other: #3a2f17; --edge: #e3b458;
    --states: #93c48b; --implies: #8fbbe8; --silent: #e3b458; --our_ruling: #d39ad6;
    --says_otherwise: #ef9a84; --contradicts_itself: #ef9a84;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-behavior: smooth; scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 82rem; padding: 0 1.25rem 4rem; background: var(--paper);
       color: var(--ink); font: 1rem/1.5 var(--serif); }
a { color: var(--accent); text-underline-offset: .15em; }
p { margin: 0; }
code, pre { font-family: var(--mono); }

header { padding: 2.2rem 0 1.2rem; }
.game { font: .85rem/1.4 var(--sans); letter-spacing: .08em; text-transform: uppercase;
        color: var(--soft); }
h1 { font-size: clamp(1.7rem, 4.6vw, 2.7rem); line-height: 1.15; margin: .3rem 0 1.4rem;
     max-width: 24em; letter-spacing: -.01em; text-wrap: balance; }
.tellings { list-style: none; margin: 0; padding: 0; display: grid; gap: .8rem 2.4rem;
            grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); }
.tellings li { border-top: 2px solid var(--ink); padding-top: .5rem; }
.tellings .name { font: 600 .95rem/1.4 var(--mono); margin-right: .4rem; }
.tellings .book, .tellings .count { display: block; font: .85rem/1.45 var(--sans);
                                    color: var(--soft); }

.filters { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: .5rem 1rem;
           align-items: center; padding: .6rem 0; background: var(--paper);
           border-bottom: 1px solid var(--line); font: .875rem/1.4 var(--sans); }
.groups { display: flex; flex-wrap: wrap; gap: .35rem; }
.filters button, .filters select { font: inherit; color: inherit; background: var(--card);
  border: 1px solid var(--line); border-radius: 1.2rem; padding: .3rem .8rem; min-height: 2.1rem; }
.filters button { cursor: pointer; }
.filters button[aria-pressed=true] { background: var(--ink); color: var(--paper);
                                     border-color: var(--ink); }
.filters button b { font-weight: 600; opacity: .75; font-variant-numeric: tabular-nums; }
.filters label { color: var(--soft); display: flex; gap: .4rem; align-items: center; }
.filters output { color: var(--soft); margin-left: auto; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

table { border-collapse: collapse; width: 100%; }
.differences { table-layout: fixed; margin-top: 1rem; }
.differences caption { text-align: left; color: var(--soft); font: italic .9rem/1.4 var(--serif);
                       padding-bottom: .4rem; }
.differences > thead th { text-align: left; font: 600 .85rem/1.4 var(--mono); color: var(--soft);
  padding: .4rem .8rem; border-bottom: 2px solid var(--ink); }
.differences > thead th:first-child { font-family: var(--sans); padding-left: 0; width: 24%; }
.differences > tbody > tr:first-child > * { border-top: 1px solid var(--line);
  padding: .75rem .8rem; vertical-align: top; text-align: left; font-weight: 400; }
.differences > tbody > tr:first-child > th { padding-left: 0; }
.number { font: 600 .8rem/1 var(--sans); color: var(--soft); font-variant-numeric: tabular-nums; }
.id { text-decoration: none; color: inherit; }
.id code { font-size: .82rem; font-weight: 600; overflow-wrap: anywhere; }
.id:hover code { text-decoration: underline; }
.kind { font: .75rem/1.3 var(--sans); border: 1px solid var(--line); border-radius: .8rem;
        padding: .08rem .5rem; white-space: nowrap; color: var(--soft); background: var(--card); }
.play .kind { border-color: var(--edge); color: var(--ink); font-weight: 600; }
.title { color: var(--soft); font-size: .93rem; line-height: 1.4; margin-top: .3rem; }
.does { overflow-wrap: anywhere; }
.other .does { font-weight: 600; }
.differences > tbody > tr:first-child > .other { background: var(--other);
  box-shadow: inset 3px 0 var(--edge); }
.equal { color: var(--soft); }
.mark { font: 700 .95rem/1 var(--sans); }
.remark { font-size: .9rem; line-height: 1.4; font-style: italic; margin-top: .25rem; }
.stances { font: .8rem/1.45 var(--sans); color: var(--soft); margin-top: .35rem; }
.stance { color: var(--stance, var(--soft)); font: 600 .8rem/1.45 var(--sans);
          white-space: nowrap; }
.stance + .stance { margin-left: .3rem; }
.stance::before { content: ""; display: inline-block; width: .5em; height: .5em;
                  margin-right: .35em; border-radius: 50%; background: currentColor;
                  vertical-align: .08em; }
.states { --stance: var(--states); } .implies { --stance: var(--implies); }
.silent { --stance: var(--silent); } .our_ruling { --stance: var(--our_ruling); }
.says_otherwise { --stance: var(--says_otherwise); }
.contradicts_itself { --stance: var(--contradicts_itself); }
.silent::before, .our_ruling::before { background: none; border: .12em solid currentColor; }
.says_otherwise::before, .contradicts_itself::before { border-radius: 0; }
.same th, .same td { color: var(--soft); border-top: 1px solid var(--line); padding: .5rem .8rem;
                     text-align: left; font-weight: 400; }

.more > td { padding: 0 0 .7rem; }
details > summary { cursor: pointer; font: .85rem/1.4 var(--sans); color: var(--accent);
                    padding: .2rem 0; width: max-content; max-width: 100%; }
details[open] > summary { margin-bottom: .4rem; }
details > section { border-left: 3px solid var(--line); padding: .1rem 0 .6rem 1rem; }
details h3 { font: 600 .9rem/1.4 var(--sans); margin: .5rem 0 .4rem; }
details h4 { font: 600 .82rem/1.4 var(--mono); margin: 0 0 .3rem; }
.beside, .effects { display: grid; gap: .8rem 1.4rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); }
.beside > div, .effects > div { background: var(--card); border: 1px solid var(--line);
  border-radius: .5rem; padding: .7rem .9rem; min-width: 0; }
pre { margin: .5rem 0; padding: .6rem .8rem; background: var(--code); border-radius: .35rem;
      font-size: .78rem; line-height: 1.5; overflow-x: auto; tab-size: 2; }
.picture { display: inline-block; max-width: 100%; line-height: 1.3; background: var(--card);
           border: 1px solid var(--line); }
.narrow { display: none; }
.cites { list-style: none; margin: .35rem 0 0; padding: 0; font: .82rem/1.5 var(--sans);
         color: var(--soft); }
.cites b { font-weight: 600; font-family: var(--mono); font-size: .92em; }
.cites .note { font-style: italic; font-size: inherit; }
.beside pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.place { font: .75rem/1.4 var(--mono); color: var(--soft); margin-top: .4rem;
         overflow-wrap: anywhere; }
.none { color: var(--soft); font-style: italic; }
.begins { font: italic .93rem/1.4 var(--serif); overflow-wrap: anywhere; }
.replies { margin: .2rem 0 .6rem; padding-left: 1.4rem; }
.lines { margin: 0 0 .5rem; padding-left: 1.1rem; }
.lines .lead { list-style: none; margin-left: -1.1rem; }
.why { font-size: .9rem; line-height: 1.45; color: var(--soft); margin-top: .4rem; }
.why code { font-size: .85em; overflow-wrap: anywhere; }
.witness + .witness { margin-top: 1rem; }
dl { margin: 0; font: .87rem/1.45 var(--sans); }
dl > div { display: grid; grid-template-columns: 8.2rem 1fr; gap: .5rem; padding: .12rem 0; }
dt { color: var(--soft); } dd { margin: 0; }
.bar { display: block; position: relative; height: .45rem; width: 100%; max-width: 12rem;
       margin: .25rem 0 .1rem; background: var(--wash); border-radius: .2rem; }
.bar::before { content: ""; position: absolute; inset: 0 auto 0 var(--low);
               width: calc(var(--high) - var(--low)); min-width: 2px; background: var(--accent);
               opacity: .45; border-radius: .2rem; }
.bar::after { content: ""; position: absolute; top: -2px; bottom: -2px; left: var(--value);
              width: 2px; margin-left: -1px; background: var(--ink); }

h2 { font-size: 1.6rem; margin: 3rem 0 .8rem; padding-top: 1rem; border-top: 2px solid var(--ink); }
.scroll { overflow-x: auto; }
.all-effects table { font: .87rem/1.45 var(--sans); min-width: 44rem; }
.all-effects th, .all-effects td { text-align: left; vertical-align: top; font-weight: 400;
  padding: .4rem 1rem .4rem 0; border-bottom: 1px solid var(--line); }
.all-effects thead th { color: var(--soft); font-weight: 600; border-bottom-color: var(--ink); }
.all-effects a { font-family: var(--mono); font-size: .82rem; overflow-wrap: anywhere; }
.note { color: var(--soft); font-size: .88rem; }
.all-effects > .note { margin-top: .6rem; max-width: 46rem; }

@media (max-width: 52rem) {
  body { padding: 0 1rem 3rem; }
  header { padding-top: 1.4rem; }
  .filters { gap: .45rem .7rem; position: static; }
  html { scroll-padding-top: 1rem; }
  .filters output { margin-left: 0; }
  .differences, .differences > tbody, .differences > tbody > tr, .differences > tbody > tr > * {
    display: block; width: 100%; }
  .differences > thead { display: none; }
  .differences caption { display: block; }
  .differences > tbody { border-top: 2px solid var(--ink); padding: .6rem 0 .3rem; }
  .differences > tbody > tr:first-child > * { border: 0; padding: .3rem 0; }
  .differences > tbody > tr:first-child > td { display: grid; padding: .4rem .6rem;
    grid-template-columns: 5.5rem minmax(0, 1fr); column-gap: .8rem; }
  .differences > tbody > tr:first-child > td::before { content: attr(data-name); grid-row: span 3;
    font: 600 .8rem/1.6 var(--mono); overflow-wrap: anywhere; }
  td > p { grid-column: 2; }
  .same td { display: block; padding: 0; }
  .wide { display: none; } .narrow { display: inline-block; font-size: .72rem; }
  details > section { padding-left: .7rem; }
}

@media print {
  :root { --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --accent: #000;
          --code: #f6f6f6; --wash: #eee; --other: #fff; --edge: #000; --states: #000;
          --implies: #000; --silent: #000; --our_ruling: #000; --says_otherwise: #000;
          --contradicts_itself: #000; }
  @page { margin: 14mm 12mm; }
  html { font-size: 72%; }
  body { max-width: none; padding: 0; }
  .filters, details > summary, details:not([open]) { display: none; }
  .differences > tbody > tr:first-child > .other { box-shadow: inset 2pt 0 #000; }
  .differences > tbody > tr:first-child, .beside > div, .effects > div, .picture {
    break-inside: avoid; }
  .differences > thead { display: table-header-group; }
  pre { white-space: pre-wrap; } .picture { white-space: pre; }
  a { text-decoration: none; color: inherit; }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
"""

SCRIPT = """
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
"""
