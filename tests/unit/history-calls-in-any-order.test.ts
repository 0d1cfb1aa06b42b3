/**
 * Calls that take the run elsewhere, made without waiting for those before, in any order and at any moment: whatever becomes of
 * them, what the page has recorded leads to where the run stands.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeRecording, type Recording, type SavedState } from '../../src/shared/index.js';
import { replay } from '../../src/sim-worker/index.js';
import { takeTurn } from '../fixtures/scripted-host.js';
import type { ToyHandle } from '../fixtures/threads.js';
import { createToy } from '../fixtures/toy-simulation.js';
import { connectInVirtualTime, type VirtualTime } from '../fixtures/virtual-time.js';

const TICKS = 12;
const kinds = [
  'goTo',
  'goTo',
  'stop',
  'restore',
  'restore another',
  'replay',
  'replay another',
  'endReplay',
  'restart',
  'step',
  'resume',
] as const;
type Kind = (typeof kinds)[number];

const calls = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    tick: fc.nat({ max: TICKS }),
    /** Turns of the event loop, and ms, after it. Mostly none. */
    turns: fc.oneof(fc.constant(0), fc.nat({ max: 12 })),
    ms: fc.oneof(fc.constant(0), fc.nat({ max: 200 })),
  }),
  { minLength: 2, maxLength: 4 },
);

/** What the cases go to, apart from the run that each begins with. */
interface Another {
  readonly recording: Recording;
  readonly state: SavedState;
}

/** What a call may reject with. */
const REASONS = [
  /^tick must be a whole number/,
  /^something else was shown/,
  /^a query has started the run over$/,
  /^step needs a paused simulation/,
  /^the step ended with \d+ ticks to go: (it was resumed|the run was started over)$/,
  /^the recording that is shown is at its end/,
  /^stopped by the test$/,
];

/** A run of so many ticks, which stands. */
async function begin(time: VirtualTime, simulation: ToyHandle, code: number): Promise<SavedState> {
  await time.until(simulation.pause());
  await time.until(simulation.endReplay());
  await time.until(simulation.queries.rebuild());
  let state: Promise<SavedState> | undefined;
  for (const ticks of [TICKS / 2, TICKS / 2]) {
    simulation.inputs.push(
      { kind: 'custom', code, device: 0, x: 0.1, y: 0, z: 0, w: 0 },
      time.nowMs,
    );
    await time.until(simulation.step(ticks));
    state ??= simulation.save();
    await time.until(state);
  }
  return state as Promise<SavedState>;
}

async function stopLater(controller: AbortController, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await takeTurn();
  controller.abort(new Error('stopped by the test'));
}

function make(
  simulation: ToyHandle,
  kind: Kind,
  tick: number,
  own: Another,
  another: Another,
): Promise<unknown> {
  const controller = new AbortController();
  switch (kind) {
    case 'goTo':
      return simulation.goTo(tick);
    case 'stop': {
      const going = simulation.goTo(tick, { signal: controller.signal });
      void stopLater(controller, tick);
      return going;
    }
    case 'restore':
      return simulation.restore(own.state);
    case 'restore another':
      return simulation.restore(another.state);
    case 'replay':
      return simulation.replay(own.recording);
    case 'replay another':
      return simulation.replay(another.recording);
    case 'endReplay':
      return simulation.endReplay();
    case 'restart':
      return simulation.queries.rebuild();
    case 'step':
      return simulation.step(3 * tick + 1);
    default:
      return simulation.resume();
  }
}

/** What becomes of the calls of a case: how often each was done, and each reason given. */
class Outcomes {
  readonly seen = new Map<string, number>();
  readonly strange: unknown[] = [];

  note(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }

  /** Resolves when it is settled. */
  async follow(kind: string, call: Promise<unknown>): Promise<void> {
    try {
      await call;
      this.note(kind);
    } catch (reason) {
      const message = reason instanceof Error ? reason.message : String(reason);
      const known = REASONS.find((one) => one.test(message));
      if (known === undefined) this.strange.push(reason);
      else this.note(String(known));
    }
  }
}

/** What has been done shows in the hashes of the ticks after it. */
async function checkRecorded(time: VirtualTime, simulation: ToyHandle): Promise<void> {
  await time.until(simulation.pause());
  await time.until(simulation.endReplay());
  const tick = simulation.stats().tick + 2;
  expect(await time.until(simulation.step(2))).toBe(tick);
  const recording = simulation.recording();
  expect(recording.lastTick).toBe(tick);
  expect(encodeRecording(recording).length).toBeGreaterThan(0);
  const report = await replay(createToy(), recording);
  expect(report).toMatchObject({ tick, differsAt: undefined, equalUpTo: tick });
}

test('what is recorded leads to where the run stands', async () => {
  // A goTo takes several slices of the worker's time, and others come between them.
  const { time, simulation } = await connectInVirtualTime(
    { tickRateHz: 20, capacity: 16, hashEveryTicks: 1, startPaused: true },
    { stepCostMs: 20 },
  );
  const another = {
    state: await begin(time, simulation, 7),
    recording: simulation.recording(),
  };
  const outcomes = new Outcomes();
  await fc.assert(
    fc.asyncProperty(calls, async (sequence) => {
      const own = { state: await begin(time, simulation, 1), recording: simulation.recording() };
      const settled: Promise<void>[] = [];
      for (const { kind, tick, turns, ms } of sequence) {
        const call = make(simulation, kind, tick, own, another);
        const outcome = outcomes.follow(kind, call);
        // A replay ends when its recording does, and not before it is resumed.
        if (!kind.startsWith('replay')) settled.push(outcome);
        for (let turn = 0; turn < turns; turn++) await takeTurn();
        if (ms > 0) await time.advance(ms);
      }
      await time.until(Promise.all(settled));
      await checkRecorded(time, simulation);
      expect(outcomes.strange).toEqual([]);
    }),
    { numRuns: 100 },
  );
  // All of it did happen, and a part of it was refused.
  expect(kinds.filter((kind) => !outcomes.seen.has(kind))).toEqual([]);
  const refused = REASONS.map((reason) => outcomes.seen.get(String(reason)) ?? 0);
  expect(refused.filter((times) => times > 0).length).toBeGreaterThan(2);
});
