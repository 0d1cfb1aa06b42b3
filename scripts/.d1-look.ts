import { withBrowserPage } from './browser-session.ts';
const out = '/tmp/d1';
await withBrowserPage(async (page, address) => {
  const lines: string[] = [];
  page.on('console', (m) => lines.push(m.type() + ': ' + m.text()));
  page.on('pageerror', (e) => lines.push('ERR ' + String(e)));
  const run = async (name: string, params: string, act?: () => Promise<void>, what = 'sparks') => {
    await page.goto(`${address}/?${params}`);
    await page.waitForFunction(() => 'betwixt' in globalThis && globalThis.betwixt.stats().bodies > 0 && globalThis.betwixt.stats().tick > 5, undefined, { timeout: 60000 });
    await act?.();
    await page.evaluate(async (what) => {
      const t0 = performance.now();
      const want = what === 'lit' ? 0 : 12;
      while ((globalThis as any).betwixtEffects.counts[what] <= want && performance.now() - t0 < 30000) await new Promise((r) => requestAnimationFrame(r));
      // hold the picture: no more ageing
      (globalThis as any).betwixtEffects.update = () => {};
    }, what);
    await page.screenshot({ path: `${out}/${name}.png` });
    console.log(name, await page.evaluate(() => (globalThis as any).betwixtEffects.counts));
  };
  const only = process.argv[2];
  const all: [string, string, (() => Promise<void>)?, string?][] = [
    ['tower', 'scene=tower&hud=0&panel=0', async () => { await page.evaluate(() => globalThis.betwixt.commands.shoot([-3, 3, 12], [0.15, -0.02, -1])); }],
    ['tower-noshadow', 'scene=tower&hud=0&panel=0&shadows=0', async () => { await page.evaluate(() => globalThis.betwixt.commands.shoot([-3, 3, 12], [0.15, -0.02, -1])); }],
    ['heap', 'scene=heap&bodies=400&hud=0&panel=0'],
    ['dominoes', 'scene=dominoes&bodies=60&hud=0&panel=0'],
    ['marbles', 'scene=marbles&hud=0&panel=0', undefined, 'lit'],
    ['vehicle', 'scene=vehicle&hud=0&panel=0', undefined, 'lit'],
  ];
  for (const [n, p, a, w] of all) if (!only || n === only) await run(n, p, a, w);
  console.log(lines.join('\n'));
});
