import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeTown } from '../model/town.js';

test('town.glb is what its script makes: npx tsx examples/town/model/make-town.ts', async () => {
  const stored = readFileSync(new URL('../town.glb', import.meta.url));
  expect(stored.equals(await makeTown())).toBe(true);
});
