/**
 * Calls that move the run, made without waiting for the previous ones, in any order and at any
 * moment: whatever their outcome, the page's recording leads to where the run is.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeRecording, type Recording, type SavedState } from '../../../src/shared/index.js';
import { replay } from '../../../src/sim-worker/index.js';
import { takeTurn } from '../../fixtures/scripted-host.js';
import type { CallOptions, Replay } from '../../../src/render-main/index.js';
import type { ToyHandle } from '../../fixtures/threads.js';
import { createToy } from '../../fixtures/toy-simulation.js';
import { connectInVirtualTime, type VirtualTime } from '../../fixtures/virtual-time.js';
import { stepsOf, walk, type Operations } from '../../fixtures/walk.js';

const TICKS = 12;
/** The targets of the cases, in addition to the run that each begins with. */
interface Another {
  readonly recording: Recording;
  readonly state: SavedState;
}

/** The errors a call may reject with. */
const REASONS = [
  /^tick must be a whole number/,
  /^another replay was opened/,
  /^a recording is shown: replay\.seek\(\)/,
  /^this replay is closed: another replay was opened/,
  /^this replay is closed: a query restarted the run$/,
  /^this replay is closed: its run was given to the player$/,
  /^a query restarted the run$/,
  /^step needs a paused simulation/,
  /^the step ended with \d+ ticks to go: (it was resumed|the run was started over)$/,
  /^the recording that is shown is at its end/,
  /^stopped by the test$/,
];

/** A paused run of this many ticks. */
async function begin(time: VirtualTime, simulation: ToyHandle, code: number): Promise<SavedState> {
  await time.until(simulation.pause());
  await time.until(closed(simulation));
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

/** A replay that is shown is closed, after the calls before it. */
async function closed(simulation: ToyHandle): Promise<void> {
  await simulation.save();
  await simulation.replay?.close();
}

/** Opens a replay, and follows it to its end without waiting for it. */
async function open(
  recording: Recording,
  { simulation, replays, outcomes }: Case,
): Promise<Replay> {
  const opened = await simulation.openReplay(recording);
  replays.push(opened);
  void outcomes.follow('ended', opened.ended);
  return opened;
}

interface Case {
  readonly simulation: ToyHandle;
  readonly own: Another;
  readonly another: Another;
  /** All replays that are being opened or were opened: most of them are closed again. */
  readonly openings: Promise<Replay>[];
  readonly replays: Replay[];
  readonly outcomes: Outcomes;
}

function opening(recording: Recording, of: Case): Promise<Replay> {
  const opened = open(recording, of);
  of.openings.push(opened);
  return opened;
}

/** Usually the last, or the one before. */
const inReplay = async (
  of: Case,
  tick: number,
  call: (one: Replay) => Promise<unknown>,
): Promise<unknown> =>
  call(await (of.openings.at(tick % 4 === 0 ? -2 : -1) ?? opening(of.own.recording, of)));

/** Stops a call after some turns. */
function stopped(
  turns: number,
  call: (options: CallOptions) => Promise<unknown>,
): Promise<unknown> {
  const controller = new AbortController();
  const going = call({ signal: controller.signal });
  void stopLater(controller, turns);
  return going;
}

interface Pause {
  /** Turns of the event loop, and ms, after it. Usually none. */
  readonly turns: number;
  readonly ms: number;
}

const OPERATIONS: Operations<Case, Pause> = {
  seek: ({ simulation }, tick) => simulation.seek(tick),
  stop: ({ simulation }, tick) => stopped(tick, (options) => simulation.seek(tick, options)),
  restore: ({ simulation, own }) => simulation.restore(own.state),
  restoreAnother: ({ simulation, another }) => simulation.restore(another.state),
  openReplay: (of) => opening(of.own.recording, of),
  openAnother: (of) => opening(of.another.recording, of),
  seekInReplay: (of, tick) => inReplay(of, tick, (one) => one.seek(tick)),
  stopInReplay: (of, tick) =>
    inReplay(of, tick, (one) => stopped(tick, (options) => one.seek(tick, options))),
  close: (of, tick) => inReplay(of, tick, (one) => one.close()),
  restart: ({ simulation }) => simulation.queries.rebuild(),
  step: ({ simulation }, tick) => simulation.step(3 * tick + 1),
  resume: ({ simulation }) => simulation.resume(),
};

const sequences = stepsOf(OPERATIONS, {
  minLength: 2,
  maxLength: 4,
  max: TICKS,
  more: {
    turns: fc.oneof(fc.constant(0), fc.nat({ max: 12 })),
    ms: fc.oneof(fc.constant(0), fc.nat({ max: 200 })),
  },
});

/** The outcomes of a case's calls: how often each was executed, and each reason given. */
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

/** The effect shows in the hashes of the later ticks. */
async function checkRecorded(time: VirtualTime, simulation: ToyHandle): Promise<void> {
  await time.until(simulation.pause());
  await time.until(closed(simulation));
  const tick = simulation.stats().tick + 2;
  expect(await time.until(simulation.step(2))).toBe(tick);
  const recording = simulation.recording();
  expect(recording.lastTick).toBe(tick);
  expect(encodeRecording(recording).length).toBeGreaterThan(0);
  const report = await replay(createToy(), recording);
  expect(report).toMatchObject({ tick, differsAt: undefined, equalUpTo: tick });
}

test('whatever moves the run, the recording leads to where the run is', async () => {
  // A seek takes several turns of the worker, with other calls in between.
  const { time, simulation } = await connectInVirtualTime(
    { tickRateHz: 20, capacity: 16, recording: { hashEveryTicks: 1 }, startPaused: true },
    { stepCostMs: 20 },
  );
  const another = {
    state: await begin(time, simulation, 7),
    recording: simulation.recording(),
  };
  const outcomes = new Outcomes();
  await fc.assert(
    fc.asyncProperty(sequences, async (steps) => {
      const own = { state: await begin(time, simulation, 1), recording: simulation.recording() };
      const settled: Promise<void>[] = [];
      const replays: Replay[] = [];
      const of = { simulation, own, another, openings: [], replays, outcomes };
      await walk(OPERATIONS, of, steps, async ({ name, turns, ms }, call) => {
        settled.push(outcomes.follow(name, call as Promise<unknown>));
        for (let turn = 0; turn < turns; turn++) await takeTurn();
        if (ms > 0) await time.advance(ms);
      });
      await time.until(Promise.all(settled));
      // At most one is shown, and every other one has ended permanently.
      const shown = replays.filter(({ state }) => state !== 'closed');
      expect(shown).toEqual(simulation.replay === undefined ? [] : [simulation.replay]);
      await checkRecorded(time, simulation);
      expect(replays.every(({ state }) => state === 'closed')).toBe(true);
      expect(outcomes.strange).toEqual([]);
    }),
    { numRuns: 24 },
  );
  // Nearly each case did occur, and some calls were refused.
  const unseen = [...Object.keys(OPERATIONS), 'ended'].filter((kind) => !outcomes.seen.has(kind));
  expect(unseen.length).toBeLessThan(4);
  const refused = REASONS.map((reason) => outcomes.seen.get(String(reason)) ?? 0);
  expect(refused.some((times) => times > 0)).toBe(true);
});
