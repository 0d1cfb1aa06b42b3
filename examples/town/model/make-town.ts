/** Writes the model: `npx tsx examples/town/model/make-town.ts`. */
import { writeFileSync } from 'node:fs';
import { makeTown } from './town.js';

const glb = await makeTown();
writeFileSync(new URL('../town.glb', import.meta.url), glb);
console.log(`town.glb: ${(glb.length / 1000).toFixed(0)} kB`);
