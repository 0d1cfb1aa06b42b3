import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';

cpSync('node_modules/betwixt/dist', 'public/betwixt', { recursive: true });
cpSync('node_modules/comlink/dist/esm/comlink.mjs', 'public/comlink.mjs');
cpSync('node_modules/@dimforge/rapier3d-simd-compat/dist/rapier.mjs', 'public/rapier.mjs');

for (const name of readdirSync('public/betwixt', { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.js')) continue;
  const path = `public/betwixt/${name}`;
  const text = readFileSync(path, 'utf8')
    .replace("'comlink'", "'/comlink.mjs'")
    .replace("'@dimforge/rapier3d-simd-compat'", "'/rapier.mjs'");
  writeFileSync(path, text);
}
