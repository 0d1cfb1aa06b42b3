/** The report's style sheet: light or dark as the system is, and readable on a phone. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --surface: #fff; --edge: #d9dee6; --text: #171b23; --quiet: #515b6b;
  --good: #1a7f43; --tight: #8a5a00; --bad: #b3261e; --grid: #e4e8ee; --wake: #b9c2d0;
  --s0: #0b62b8; --s1: #b3430f; --s2: #18794e; --s3: #8a3ab0; --s4: #8a6d00; --s5: #00707f;
  --p50: #0b62b8; --p95: #6ba6dd; --p99: #bcd8f2;
  font: 400 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  -webkit-text-size-adjust: 100%;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #11141a; --surface: #171b23; --edge: #313846; --text: #eef1f6; --quiet: #b3bccb;
    --good: #9be08f; --tight: #f0c064; --bad: #ff9e92; --grid: #272d38; --wake: #4a5365;
    --s0: #7cc4ff; --s1: #f2a66b; --s2: #9be08f; --s3: #d6a4ff; --s4: #e5d36c; --s5: #6fd9d9;
    --p50: #7cc4ff; --p95: #3f7fb5; --p99: #264b6c;
  }
}
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
body { max-width: 1240px; margin: 0 auto; padding: 16px max(16px, env(safe-area-inset-left)) 48px;
  background: var(--ground); color: var(--text); overflow-wrap: anywhere; }
h1 { margin: 0 0 2px; font-size: 24px; line-height: 1.25; }
h2 { margin: 36px 0 6px; font-size: 19px; }
h3 { margin: 18px 0 6px; font-size: 15px; }
p { margin: 0 0 8px; max-width: 80ch; }
.quiet, .machine dt, figcaption { color: var(--quiet); }
.machine { display: grid; grid-template-columns: auto 1fr; gap: 2px 14px; margin: 12px 0 0; }
.machine dd { margin: 0; }
.verdicts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 330px), 1fr)); gap: 10px;
  margin: 20px 0 0; padding: 0; list-style: none; }
.verdicts li { padding: 12px 16px; border: 1px solid var(--edge); border-radius: 8px;
  background: var(--surface); font-size: 18px; line-height: 1.35; }
.verdicts small { display: block; margin-bottom: 3px; color: var(--quiet); font-size: 14px; }
.verdicts p { margin: 0; padding-left: 14px; border-left: 4px solid var(--quiet); }
.verdicts p + p { margin-top: 10px; }
.verdicts .good { border-left-color: var(--good); }
.verdicts .tight { border-left-color: var(--tight); }
.verdicts .bad { border-left-color: var(--bad); }
.verdicts .whole { grid-column: 1 / -1; }
figure, .bars, .scroll { margin: 0; border: 1px solid var(--edge); border-radius: 8px; background: var(--surface); }
figure { min-width: 0; padding: 10px 12px; }
/* Long tables scroll in their box both ways, with their head in sight. */
.scroll:has(table) { max-height: 75vh; overflow: auto; }
thead th { position: sticky; top: 0; background: var(--surface); }
nav { display: flex; flex-wrap: wrap; gap: 4px 18px; margin-top: 18px; }
nav a { color: var(--s0); text-underline-offset: 2px; }
figure .scroll { border: 0; border-radius: 0; }
figcaption { font-size: 14px; font-weight: 600; }
svg { display: block; width: 100%; height: auto; font-size: 11px; fill: var(--quiet); }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 330px), 1fr)); gap: 10px; }
.timelines { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 520px), 1fr)); gap: 10px; }
/* Plots grow and shrink with their card, and their texts do not. */
.plots figure, .timelines figure { container-type: inline-size; }
@container (min-width: 440px) { .plot { font-size: 8.5px; } .plot circle { r: 2px; } }
@container (min-width: 560px) { .plot { font-size: 6.8px; } .plot circle { r: 1.6px; } .plot .line { stroke-width: 1.3; } }
@container (max-width: 480px) { .timelines svg { font-size: 16px; } }
/* A single one has its names next to it. */
@media (min-width: 900px) {
  .plots figure:only-child { display: grid; grid-template-columns: 720px 1fr; gap: 0 28px; }
  .plots figure:only-child figcaption { grid-column: 1 / -1; }
  .plots figure:only-child .legend { display: block; align-self: center; line-height: 2; }
}
.hint { margin: 0 0 4px; color: var(--quiet); font-size: 13px; }
.grid { fill: none; stroke: var(--grid); }
.line { fill: none; stroke: currentColor; stroke-width: 2; stroke-linejoin: round; }
.fit { stroke-width: 1.5; stroke-dasharray: 5 3; }
.budget { fill: none; stroke: var(--bad); stroke-width: 1.5; stroke-dasharray: 2 3; }
.budget-name { fill: var(--bad); }
.wake { stroke: var(--wake); } .step { stroke: var(--s0); } .publish { stroke: var(--s1); } .late { stroke: var(--bad); }
.s0 { color: var(--s0); } .s1 { color: var(--s1); } .s2 { color: var(--s2); }
.s3 { color: var(--s3); } .s4 { color: var(--s4); } .s5 { color: var(--s5); }
/* A wide invisible stroke makes marks easy to hit. */
circle { fill: currentColor; stroke: transparent; stroke-width: 14; pointer-events: all; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 4px 0 0; padding: 0; list-style: none; font-size: 13px; }
.key { display: inline-block; width: 14px; height: 3px; margin-right: 6px; vertical-align: middle; background: currentColor; }
.key.dotted { background: repeating-linear-gradient(90deg, var(--bad) 0 2px, transparent 2px 5px); }
section > .legend { margin-bottom: 8px; color: var(--quiet); }
.swatch { display: inline-block; width: 12px; height: 12px; margin-right: 6px; vertical-align: -1px; border-radius: 2px; }
.swatch.wake { background: var(--wake); } .swatch.step { background: var(--s0); } .swatch.publish { background: var(--s1); }
.swatch.late { background: var(--bad); } .swatch.limit { width: 3px; border-radius: 0; background: var(--text); }
.p50 { background: var(--p50); } .p95 { background: var(--p95); } .p99 { background: var(--p99); }
.bar-groups { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 560px), 1fr)); gap: 10px; }
.bars { min-width: 0; padding: 0 14px 10px; }
.bars h3 { margin: 10px 0 4px; }
.bar-row { display: grid; grid-template-columns: 104px minmax(80px, 1fr) 66px minmax(0, 172px); align-items: center; gap: 0 10px;
  padding: 3px 0; font-size: 14px; font-variant-numeric: tabular-nums; }
.bar-row .what, .bar-row .share { text-align: right; white-space: nowrap; }
.bar { position: relative; height: 16px; overflow: hidden; border-radius: 2px; background: var(--grid); }
.bar i { position: absolute; inset: 0 auto 0 0; }
.bar u { position: absolute; inset: 0 auto 0 80%; width: 2px; background: var(--text); }
.misses { color: var(--quiet); }
.misses b, .over .share, .overloaded .share { color: var(--bad); }
@media (max-width: 640px) {
  .bar-row { grid-template-columns: 1fr auto; padding: 6px 0; }
  .bar-row .what { text-align: left; }
  .bar-row .bar { grid-area: 2 / 1 / auto / -1; }
  .bar-row .misses { grid-area: 3 / 1 / auto / -1; }
  .verdicts li { font-size: 17px; }
}
.scroll { overflow-x: auto; overscroll-behavior-x: contain; }
.scroll:focus-visible { outline: 2px solid var(--s0); outline-offset: 1px; }
table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; white-space: nowrap; overflow-wrap: normal; }
th, td { padding: 4px 12px; text-align: right; border-bottom: 1px solid var(--grid); }
thead th { color: var(--quiet); font-weight: 600; vertical-align: bottom; }
tbody tr:last-child > * { border-bottom: 0; }
th:first-child, .words { text-align: left; }
/* The first cell of a row stays visible while the rest scrolls. */
th:first-child { position: sticky; left: 0; background: var(--surface); }
thead th:first-child { z-index: 1; }
tbody .subject th { position: static; padding-top: 12px; font-weight: 600; }
.subject span { position: sticky; left: 12px; }
tbody th { font-weight: 400; }
tbody th.overloaded::after { content: ' overloaded'; color: var(--bad); font-weight: 600; }
.strong { font-weight: 650; }
.slower { color: var(--bad); } .faster { color: var(--good); } .no-difference, .cannot-tell, .too-few-repeats { color: var(--quiet); }
#tip { position: fixed; z-index: 1; max-width: min(320px, 92vw); padding: 5px 10px; border: 1px solid var(--edge); border-radius: 6px;
  background: var(--text); color: var(--ground); font-size: 13px; pointer-events: none; transform: translateX(-50%); }
@media (max-width: 640px) { tbody th.overloaded::after { display: block; } th, td { padding: 4px 9px; } }
@media print { .hint { display: none; } .scroll, .scroll:has(table) { max-height: none; overflow: visible; } }
`;
