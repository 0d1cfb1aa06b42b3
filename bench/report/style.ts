/** The report's style sheet: light or dark as the system is, and readable on a phone. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --surface: #fff; --edge: #d9dee6; --text: #171b23; --quiet: #515b6b;
  --good: #1a7f43; --tight: #8a5a00; --bad: #b3261e; --empty: #e4e8ee;
  --p50: #0b62b8; --p95: #6ba6dd; --p99: #bcd8f2;
  font: 400 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  -webkit-text-size-adjust: 100%;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #11141a; --surface: #171b23; --edge: #313846; --text: #eef1f6; --quiet: #b3bccb;
    --good: #9be08f; --tight: #f0c064; --bad: #ff9e92; --empty: #272d38;
    --p50: #7cc4ff; --p95: #3f7fb5; --p99: #264b6c;
  }
}
*, *::before, *::after { box-sizing: border-box; }
body { max-width: 1240px; margin: 0 auto; padding: 16px max(16px, env(safe-area-inset-left)) 48px;
  background: var(--ground); color: var(--text); overflow-wrap: anywhere; }
h1 { margin: 0 0 2px; font-size: 24px; line-height: 1.25; }
h2 { margin: 28px 0 6px; font-size: 19px; }
h3 { margin: 10px 0 4px; font-size: 15px; }
.verdicts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 330px), 1fr)); gap: 10px;
  margin: 20px 0 0; padding: 0; list-style: none; }
.verdicts li, .bars, pre { margin: 0; border: 1px solid var(--edge); border-radius: 8px; background: var(--surface); }
.verdicts li { padding: 12px 16px; font-size: 17px; line-height: 1.35; }
.verdicts small { display: block; margin-bottom: 3px; color: var(--quiet); font-size: 14px; }
.verdicts p { margin: 0; padding-left: 14px; border-left: 4px solid var(--quiet); }
.verdicts p + p { margin-top: 10px; }
.verdicts .good { border-left-color: var(--good); }
.verdicts .tight { border-left-color: var(--tight); }
.verdicts .bad { border-left-color: var(--bad); }
.verdicts .whole { grid-column: 1 / -1; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 0 0 8px; padding: 0; list-style: none;
  color: var(--quiet); font-size: 13px; }
.swatch { display: inline-block; width: 12px; height: 12px; margin-right: 6px; vertical-align: -1px; border-radius: 2px; }
.swatch.limit { width: 3px; border-radius: 0; background: var(--text); }
.p50 { background: var(--p50); } .p95 { background: var(--p95); } .p99 { background: var(--p99); }
.bar-groups { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 560px), 1fr)); gap: 10px; }
.bars { min-width: 0; padding: 0 14px 10px; }
.bar-row { display: grid; grid-template-columns: 104px minmax(80px, 1fr) 66px minmax(0, 172px); align-items: center; gap: 0 10px;
  padding: 3px 0; font-size: 14px; font-variant-numeric: tabular-nums; }
.bar-row .what, .bar-row .share { text-align: right; white-space: nowrap; }
.bar { position: relative; height: 16px; overflow: hidden; border-radius: 2px; background: var(--empty); }
.bar i { position: absolute; inset: 0 auto 0 0; }
.bar u { position: absolute; inset: 0 auto 0 80%; width: 2px; background: var(--text); }
.misses { color: var(--quiet); }
.misses b, .over .share, .overloaded .share { color: var(--bad); }
@media (max-width: 640px) {
  .bar-row { grid-template-columns: 1fr auto; padding: 6px 0; }
  .bar-row .what { text-align: left; }
  .bar-row .bar { grid-area: 2 / 1 / auto / -1; }
  .bar-row .misses { grid-area: 3 / 1 / auto / -1; }
}
pre { padding: 12px 16px; overflow-x: auto; overscroll-behavior-x: contain; font: 12.5px/1.5 ui-monospace, monospace; }
pre:focus-visible { outline: 2px solid var(--p50); outline-offset: 1px; }
@media print { pre { white-space: pre-wrap; } }
`;
