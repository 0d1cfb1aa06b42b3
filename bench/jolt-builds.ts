/**
 * `npm run bench:jolt-builds`: the two builds of Jolt compared in Node, in alternation: processor time
 * of a step of settled boxes that never sleep.
 */
import { BodyRegistry } from '../src/sim-worker/bodies/body-registry.js';
import { changeOf, msText } from './engine/index.js';
import { createJoltBench } from './engines/jolt-bench.js';
import type { JoltBuild } from './engines/jolt-module.js';
import { createScene } from './scenes/index.js';
import { threadTimeMs } from './thread-time.js';

const BODIES = [100, 1000, 2000];
const REPEATS = 5;
const SETTLE_TICKS = 180;
const TICKS = 300;
const STEP_SECONDS = 1 / 60;

async function stepMs(bodies: number, build: JoltBuild): Promise<number> {
  const scene = createScene('heap', bodies, 1);
  const world = await createJoltBench(scene, new BodyRegistry(bodies), {}, build);
  for (let tick = 0; tick < SETTLE_TICKS; tick++) world.step(STEP_SECONDS);
  const startMs = threadTimeMs();
  for (let tick = 0; tick < TICKS; tick++) world.step(STEP_SECONDS);
  const ms = (threadTimeMs() - startMs) / TICKS;
  world.free();
  return ms;
}

const spread = (values: readonly number[]): string => {
  const rising = values.toSorted((a, b) => a - b);
  const [low = NaN, middle = NaN, high = NaN] = [0, rising.length >> 1, -1].map((at) =>
    rising.at(at),
  );
  return `${msText(middle)} (${msText(low)} to ${msText(high)})`;
};

for (const bodies of BODIES) {
  const [plain, simd]: [number[], number[]] = [[], []];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    plain.push(await stepMs(bodies, 'plain'));
    simd.push(await stepMs(bodies, 'simd'));
  }
  const { ratio, ratioLow, ratioHigh } = changeOf(simd, plain, NaN);
  console.log(
    `${bodies} boxes: plain ${spread(plain)} ms, SIMD ${spread(simd)} ms: ` +
      `${ratio.toFixed(2)} times as fast (99 %: ${ratioLow.toFixed(2)} to ${ratioHigh.toFixed(2)})`,
  );
}
