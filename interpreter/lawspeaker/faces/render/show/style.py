"""How the page looks: on a screen, on a phone, on paper, by day and by night."""

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #fbfaf6; --card: #ffffff; --ink: #22201c; --soft: #6c665c; --line: #e2dccf;
  --accent: #0f5c66; --wash: #f1ede3; --code: #f5f2ea; --key: #7a4b12; --mark: #fff3c9;
  --states: #3f6b3a; --implies: #2f5f8f; --silent: #8a5a00; --our_ruling: #7b3f7f;
  --says_otherwise: #a1361f; --contradicts_itself: #a1361f; --assumed: #8a5a00;
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, Charter, Georgia, serif;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #171614; --card: #1f1e1b; --ink: #e9e4d8; --soft: #a39b8b; --line: #36332c;
    --accent: #7fc8cf; --wash: #24221e; --code: #1b1a17; --key: #e0b070; --mark: #4a3f17;
    --states: #93c48b; --implies: #8fbbe8; --silent: #e3b458; --our_ruling: #d39ad6;
    --says_otherwise: #ef9a84; --contradicts_itself: #ef9a84; --assumed: #e3b458;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 var(--serif); }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .15em; }
.frame { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem 4rem; }
main { min-width: 0; }
@media (min-width: 62rem) {
  .frame { display: grid; grid-template-columns: 15rem minmax(0, 48rem); gap: 0 3.5rem;
           grid-template-rows: auto 1fr; }
  header, main { grid-column: 2; }
  nav { grid-column: 1; grid-row: 1 / span 2; align-self: start; position: sticky; top: 0;
        max-height: 100vh; overflow-y: auto; padding: 3.4rem 0 2rem; }
}
@media (max-width: 61.99rem) {
  nav { border: solid var(--line); border-width: 1px 0; padding: .8rem 0; margin-top: 1rem; }
  nav > ol { display: flex; flex-wrap: wrap; gap: .1rem 1.3rem; }
  nav ol ol { display: none; }
}
nav { font: .875rem/1.45 var(--sans); }
nav ol { list-style: none; margin: 0; padding: 0; }
nav ol ol { margin: .15rem 0 .5rem; padding-left: .8rem; border-left: 1px solid var(--line); }
nav li { margin: .3rem 0; }
nav a { color: inherit; text-decoration: none; }
nav a:hover, nav a:focus-visible { color: var(--accent); text-decoration: underline; }
nav ol ol a { color: var(--soft); }
nav .number { color: var(--soft); font-variant-numeric: tabular-nums; }
.switch { display: flex; gap: .5rem; align-items: center; margin: .8rem 0 0; color: var(--soft); }
.switch input { accent-color: var(--accent); width: 1rem; height: 1rem; margin: 0; }
body:has(#as-written:not(:checked)) .written { display: none; }

header { padding: 2.5rem 0 0; }
h1 { font-size: clamp(2.2rem, 6vw, 3.4rem); line-height: 1.1; margin: 0; letter-spacing: -.01em; }
.by { color: var(--soft); font-style: italic; margin: .4rem 0 0; }
.about { font-size: 1.25rem; line-height: 1.5; margin: 1.2rem 0 1.4rem; max-width: 36rem; }
.facts { display: flex; flex-wrap: wrap; gap: 0 2.2rem; margin: 0; font-family: var(--sans); }
.facts div { padding: .5rem 0; }
.facts dt { font-size: .72rem; letter-spacing: .06em; text-transform: uppercase;
            color: var(--soft); }
.facts dd { margin: 0; font-size: .95rem; }
h2 { font-size: 1.75rem; line-height: 1.2; margin: 3.6rem 0 1rem; padding-top: 1.1rem;
     border-top: 2px solid var(--ink); }
h3 { font-size: 1.25rem; line-height: 1.3; margin: 2.4rem 0 .8rem; }
h3 small { display: block; font: .8rem/1.4 var(--sans); color: var(--soft); letter-spacing: .03em; }
p { margin: .5rem 0; }
.intro { color: var(--soft); margin-bottom: 1.2rem; }

table { border-collapse: collapse; font: .9rem/1.45 var(--sans); margin: .8rem 0 1.4rem; }
table.stack { width: 100%; }
th { text-align: left; font-weight: 600; font-size: .74rem; letter-spacing: .04em;
     color: var(--soft); text-transform: uppercase; border-bottom: 1px solid var(--ink); }
th, td { padding: .38rem 2rem .38rem 0; vertical-align: top; }
td { border-bottom: 1px solid var(--line); }
td:last-child, th:last-child { padding-right: 0; }
.count { text-align: right; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
@media (max-width: 40rem) {
  table.stack thead { display: none; }
  table.stack tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  table.stack td { display: grid; grid-template-columns: 6.5rem 1fr; border: 0; padding: .1rem 0;
                   text-align: left; }
  table.stack td:first-child { display: block; font-weight: 600; }
  table.stack td:not(:first-child)::before { content: attr(data-label); color: var(--soft); }
  table.stack td:empty { display: none; }
}

.clause { background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
          padding: .95rem 1.15rem .8rem; margin: 0 0 1rem; }
.clause:target, li:target { box-shadow: 0 0 0 2px var(--accent); }
.clause h4 { margin: 0 0 .3rem; font: 600 .85rem/1.4 var(--mono); display: flex; gap: .6rem;
             flex-wrap: wrap; align-items: baseline; }
.clause h4 a { color: var(--accent); text-decoration: none; overflow-wrap: anywhere; }
.clause h4 a:hover { text-decoration: underline; }
.clause .says { margin: 0; font-size: 1.1rem; line-height: 1.5; }
.asks { margin: .45rem 0; color: var(--soft); font-style: italic; }
.label { font: .72rem/1.5 var(--sans); letter-spacing: .06em; text-transform: uppercase;
         color: var(--soft); margin: .8rem 0 .15rem; }
.guards, .cites, .plays { margin: .3rem 0; padding: 0; list-style: none; }
.guards li, .plays li { padding: .15rem 0 .15rem .8rem; border-left: 3px solid var(--line);
                        margin: .25rem 0; }
.guards code, .plays code { font-size: .82em; }
.cites { font: .84rem/1.5 var(--sans); color: var(--soft); margin-top: .6rem; }
.cites li { margin: .15rem 0; }
.guards .cites { margin: 0; font-size: .78rem; }
.guards .cites li { border: 0; padding: 0; margin: 0; }
.stance { color: var(--stance, var(--soft)); font-weight: 600; white-space: nowrap;
          margin: 0 .35em; }
.stance::before { content: ""; display: inline-block; width: .5em; height: .5em; margin-right: .4em;
                  border-radius: 50%; background: currentColor; vertical-align: .1em; }
.states { --stance: var(--states); } .implies { --stance: var(--implies); }
.silent { --stance: var(--silent); } .our_ruling { --stance: var(--our_ruling); }
.says_otherwise { --stance: var(--says_otherwise); }
.contradicts_itself { --stance: var(--contradicts_itself); }
.assumed { --stance: var(--assumed); }
.assumption { border-left: 3px solid var(--assumed); padding-left: .8rem; }
.changed { border-left: 3px solid var(--accent); padding-left: .8rem;
           font: .88rem/1.5 var(--sans); }
code { font-family: var(--mono); font-size: .88em; overflow-wrap: anywhere; }
pre { font: .8rem/1.6 var(--mono); background: var(--code); border-radius: .35rem;
      padding: .75rem .95rem; margin: .8rem 0 .5rem; overflow-x: auto; tab-size: 2; }
pre code { font-size: inherit; overflow-wrap: normal; }
pre b { font-weight: 600; color: var(--key); }
pre i, pre .yaml { color: var(--soft); font-style: normal; }
pre a { text-decoration: none; border-bottom: 1px dotted; }
.foot { font: .76rem/1.6 var(--sans); color: var(--soft); margin: .5rem 0 0; display: flex;
        flex-wrap: wrap; gap: 0 1.2rem; }
.foot a { color: inherit; }
.values { display: flex; flex-wrap: wrap; gap: .4rem; margin: .5rem 0 .2rem;
          font: .86rem/1.4 var(--sans); }
.value { border: 1px solid var(--line); border-radius: 1rem; padding: .12rem .7rem;
         color: var(--soft); }
.value.is { background: var(--accent); border-color: var(--accent); color: var(--paper);
            font-weight: 600; }
.value .players { font-weight: 400; opacity: .8; margin-right: .35rem; }
.assumptions { list-style: none; margin: 0; padding: 0; }
.assumptions li { padding: .7rem 0; border-bottom: 1px solid var(--line); break-inside: avoid; }
.assumptions p { margin: .1rem 0; }
.assumptions .note { color: var(--soft); font-style: italic; }
.assumptions .where { font: .84rem/1.5 var(--sans); color: var(--soft); }
.end { margin-top: 3rem; font: .8rem/1.5 var(--sans); color: var(--soft);
       overflow-wrap: anywhere; }

@media print {
  :root { --paper: #fff; --card: #fff; --ink: #000; --soft: #555; --line: #ccc; --accent: #000;
          --code: #f6f6f6; --wash: #f6f6f6; --key: #000; }
  @page { margin: 18mm 16mm; }
  html { font-size: 76%; }
  .frame { display: block; max-width: none; padding: 0; }
  nav, .foot { display: none; }
  header { padding-top: 0; }
  h2 { break-after: avoid; margin-top: 2rem; } h3 { break-after: avoid; }
  .page { break-before: page; }
  .clause { border: 0; border-top: 1px solid var(--line); border-radius: 0; padding: .6rem 0;
            margin: 0; break-inside: avoid; }
  pre { white-space: pre-wrap; } tr { break-inside: avoid; }
  a { text-decoration: none; color: inherit; } pre a { border: 0; }
  .value.is { color: #000; background: none; border: 1.5pt solid #000; }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
"""
