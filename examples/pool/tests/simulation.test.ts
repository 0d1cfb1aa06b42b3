import { decodeRecording, encodeRecording, type BodyId } from 'betwixt/shared';
import { runTicks, type TickState } from 'betwixt/testing';
import { replay } from 'betwixt/worker';
import { expect, test } from 'vitest';
import { createGame, type Look } from '../src/simulation.js';

/** The pointer goes down at a point of the table, and up in the next tick. */
const shot = (tick: number, x: number, z: number) =>
  [
    { tick, kind: 'pointerdown', device: 1, x, y: z, w: 1 },
    { tick: tick + 1, kind: 'pointerup', device: 1, x, y: z, w: 0 },
  ] as const;
/** Every four seconds, at full strength through the middle of the table. */
const SHOTS = [0.2, 0, -0.2, 0.3, -0.3, 0.1].flatMap((z, index) => shot(30 + 240 * index, 0.8, z));
const TICKS = 240 * 6;

/** Where the balls are, the white one first. */
function positionsOf({ poses, tags }: TickState) {
  const balls = [...poses].filter(([id]) => (tags.get(id) as Look).size[0] === 0.04);
  return balls.map(([, { x, z }]) => ({ x, z }));
}

/** How deep the bar is in a ball, in m; 0 if it touches none. */
function depthOfBar(state: TickState): number {
  const isSilver = (id: BodyId) => (state.tags.get(id) as Look).color === 'silver';
  const bar = [...state.poses].find(([id]) => isSilver(id));
  const { qy, qw } = (bar as NonNullable<typeof bar>)[1];
  const [sin, cos] = [2 * qy * qw, 1 - 2 * qy * qy];
  const depths = positionsOf(state).map(({ x, z }) => {
    // In the direction of the bar, whose half sizes are 0.3 and 0.015, and across it.
    const along = Math.max(0, Math.abs(cos * x - sin * z) - 0.3);
    const across = Math.max(0, Math.abs(sin * x + cos * z) - 0.015);
    return 0.04 - Math.hypot(along, across);
  });
  return Math.max(0, ...depths);
}

test('the score counts the shots, and the balls that are gone', async () => {
  const run = await runTicks(createGame(), { ticks: TICKS, inputs: SHOTS });
  const scores = run.eventsOf('score').map(({ value }) => value);
  expect(scores.at(-1)?.shots).toBe(6);
  expect(scores.at(-1)?.pocketed).toBeGreaterThan(0);
  expect(scores.at(-1)?.pocketed).toBe(11 - positionsOf(run).length);
});

test('the white ball returns to its spot when it is pocketed, without a score', async () => {
  // Into the corner behind it.
  const run = await runTicks(createGame(), { ticks: 200, inputs: shot(1, -0.9, 0.6) });
  expect(run.eventsOf('sensor').length).toBeGreaterThan(0);
  expect(run.eventsOf('score').map(({ value }) => value)).toEqual([{ pocketed: 0, shots: 1 }]);
  expect(positionsOf(run)[0]).toEqual({ x: -0.5, z: 0 });
});

test('the bar pushes a ball that lies in its way', async () => {
  // So softly that it rolls straight ahead and stops where the bar passes.
  const inputs = shot(1, -0.43, 0);
  const before = await runTicks(createGame(), { ticks: 120, inputs });
  const [rolling] = positionsOf(before);
  expect(Math.abs(rolling?.z ?? Number.NaN)).toBeLessThan(0.001);
  const [pushed] = positionsOf(await runTicks(createGame(), { ticks: 400, inputs }));
  expect(Math.abs(pushed?.z ?? Number.NaN)).toBeGreaterThan(0.1);
});

test('the bar pushes balls, and does not sink into them', async () => {
  // A soft shot, which ends in the way of the bar, and then hard ones through the rack.
  for (const inputs of [shot(1, -0.43, 0), SHOTS]) {
    let deepest = 0;
    const onTick = (state: TickState) => void (deepest = Math.max(deepest, depthOfBar(state)));
    await runTicks(createGame(), { ticks: TICKS, inputs, onTick });
    // A push begins when they overlap by a little.
    expect(deepest).toBeGreaterThan(0);
    expect(deepest).toBeLessThan(0.004);
  }
});

test('a recording replays with the same hashes', async () => {
  const options = { ticks: TICKS, inputs: SHOTS, hashEveryTicks: 60 };
  const { recording } = await runTicks(createGame(), options);
  const report = await replay(createGame(), decodeRecording(encodeRecording(recording)));
  expect(report).toMatchObject({ tick: TICKS, hashes: 24, differsAt: undefined });
});

test('a state that is saved while balls move continues identically', async () => {
  const whole = await runTicks(createGame(), { ticks: TICKS, inputs: SHOTS, saveEveryTicks: 300 });
  const [start] = whole.recording.states;
  const inputs = SHOTS.filter(({ tick }) => tick > 300);
  const rest = await runTicks(createGame(), {
    start: start as NonNullable<typeof start>,
    ticks: TICKS - 300,
    inputs,
  });
  expect(rest.hash).toBe(whole.hash);
  expect(rest.eventsOf('score').at(-1)).toEqual(whole.eventsOf('score').at(-1));
});
