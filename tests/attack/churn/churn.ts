/**
 * One churn: its ticks, what a display draws of them, and the same run again without being saved on
 * the way.
 */
import { equal } from 'node:assert/strict';
import fc from 'fast-check';
import type { BodyId } from '../../../src/shared/memory/body-meta.js';
import { createBuffer } from '../../../src/shared/memory/create-buffer.js';
import { sampleMatrices, samplePose } from '../../../src/render-main/frame/interpolation.js';
import { STATE_HEADER } from '../../../src/shared/memory/layout.js';
import { Schedule } from '../../../src/shared/time/schedule.js';
import { SnapshotReader } from '../../../src/shared/memory/snapshot-reader.js';
import { SnapshotWriter } from '../../../src/sim-worker/bodies/snapshot-writer.js';
import { Timeline } from '../../../src/render-main/frame/timeline.js';
import type { SavedState } from '../../../src/shared/recording/recording.js';
import { EventReporter } from '../../../src/sim-worker/events/event-reporter.js';
import { SimulationRun } from '../../../src/sim-worker/run/simulation-run.js';
import { pairOf } from '../../fixtures/virtual-display.js';
import { present } from '../../fixtures/present.js';
import { stepsOf } from '../../fixtures/walk.js';
import { CHURN_OPERATIONS, ChurnSimulation, type Living } from './simulation.js';

const RATE_HZ = 64;
const PERIOD_MS = 1000 / RATE_HZ;
/** States of which a display may still draw bodies. */
const KEPT = 8;
const SCALES = Float32Array.of(1, 1, 1);

const TICK = fc.record({
  operations: stepsOf(CHURN_OPERATIONS, { minLength: 0, maxLength: 6, max: 4095 }),
  /**
   * `same`: saved, and restored immediately. `another`: it continues in another instance. `mark`: saved. `back`: it
   * returns to the mark, and the later ticks are run again.
   */
  save: fc.oneof(
    { arbitrary: fc.constant('none'), weight: 8 },
    fc.constantFrom('same', 'another', 'mark', 'back'),
  ),
  /** Frames that are drawn after it, at these positions of its interval, in 1/16. */
  frames: fc
    .array(fc.nat({ max: 15 }), { maxLength: 2 })
    .map((positions) => positions.toSorted((a, b) => a - b)),
});

export const churns = fc.record({
  // More than one block of bodies, and less.
  capacity: fc.constantFrom(1, 2, 7, 64, 65, 200),
  history: fc.integer({ min: 2, max: 4 }),
  seed: fc.nat(),
  ticks: fc.array(TICK, { minLength: 1, maxLength: 160, size: 'max' }),
});
type Churn = typeof churns extends fc.Arbitrary<infer One> ? One : never;

type State = ReadonlyMap<BodyId, Living>;

/** A worker's memory and a page's display, without the time between them. */
class Display {
  readonly #reader: SnapshotReader;
  readonly #writer: SnapshotWriter;
  readonly #timeline = new Timeline({ marginMs: 0 });
  readonly #schedule = new Schedule(RATE_HZ);
  readonly #run: SimulationRun;
  /** By their ordinals. */
  readonly #states = new Map<number, State>();
  #published = 0;
  readonly #out = new Float32Array(7);
  readonly #ids = new Uint32Array(1);
  readonly #matrix = new Float32Array(16);

  constructor(run: SimulationRun, history: number) {
    const views = createBuffer(run.bodies.capacity, history);
    this.#run = run;
    this.#reader = new SnapshotReader(views);
    this.#writer = new SnapshotWriter(views, run.bodies);
    this.#schedule.resume(0);
    run.bodies.beginState(this.#writer.nextState);
  }

  publish(living: State, isCut: boolean): void {
    const ordinal = this.#writer.nextState;
    this.#published += 1;
    const virtualMs = this.#published * PERIOD_MS;
    const { tick, simulatedSeconds } = this.#run;
    this.#writer.publishState(
      { tick, virtualMs, simulatedSeconds, latenessMs: 0 },
      this.#schedule,
      isCut,
    );
    this.#run.bodies.beginState(this.#writer.nextState);
    this.#states.set(ordinal, new Map(living));
    this.#states.delete(ordinal - KEPT);
  }

  /**
   * @param position In the interval of the newest tick, 0 to 15. @throws Error if a wrong body is
   * drawn.
   */
  draw(position: number, stale: readonly BodyId[]): number {
    this.#reader.fetch();
    const { slot } = this.#reader;
    const placed = this.#timeline.advance((this.#published + position / 16) * PERIOD_MS, slot);
    if (!placed.hasState) return 0;
    const stateAt = (at: number): State =>
      present(this.#states.get(slot.stateHeaders[at]?.[STATE_HEADER.ordinal] ?? -1));
    const [previous, current] = [stateAt(placed.previous), stateAt(placed.current)];
    const pair = pairOf(slot, placed);
    const ids = new Set([...previous.keys(), ...current.keys(), ...stale]);
    // Also beyond the second state, as when it is extrapolated.
    for (const blend of [pair.blend, 2 * pair.blend]) {
      for (const id of ids) {
        const isDrawn = samplePose({ ...pair, blend }, id, this.#out);
        const drawn = isDrawn ? this.#out : undefined;
        requireDrawn(id, drawn, previous.get(id), current.get(id), blend);
        this.#ids[0] = id;
        const drawnCount = sampleMatrices({ ...pair, blend }, this.#ids, SCALES, 1, this.#matrix);
        const [x, y] = this.#matrix.subarray(12);
        // The matrix of a body that does not live has no area.
        const isSame = drawn ? x === drawn[0] && y === drawn[1] : this.#matrix[0] === 0;
        if (drawnCount === Number(isDrawn) && isSame) continue;
        throw new Error(`body ${id} is drawn otherwise by its matrix`);
      }
    }
    return ids.size;
  }
}

/** @throws Error unless it is drawn correctly: on the line between two states if it is the same in both, otherwise where one has it. */
function requireDrawn(
  id: BodyId,
  drawn: Float32Array | undefined,
  before: Living | undefined,
  after: Living | undefined,
  blend: number,
): void {
  const isOne =
    before !== undefined && after?.serial === before.serial && after.jumps === before.jumps;
  const shown = isOne || blend >= 1 ? after : before;
  if (shown === undefined || drawn === undefined) {
    if (shown === drawn) return;
    throw new Error(`body ${id} ${drawn ? 'does not live' : 'lives'} then, and is drawn otherwise`);
  }
  const [x, y = Number.NaN] = drawn;
  const expected = isOne ? before.y + blend * (shown.y - before.y) : shown.y;
  if (x === shown.serial && Math.abs(y - expected) < 1e-3) return;
  throw new Error(
    `body ${id}, number ${shown.serial} at ${expected}, is drawn as number ${x} at ${y}`,
  );
}

class Instance {
  readonly simulation: ChurnSimulation;
  readonly run: SimulationRun;
  readonly display: Display;

  constructor({ ticks, capacity, seed, history }: Churn) {
    this.simulation = new ChurnSimulation(ticks.map(({ operations }) => operations));
    this.run = new SimulationRun({
      simulation: this.simulation,
      options: {
        capacity,
        seed,
        setup: null,
        dt: 1 / RATE_HZ,
        invalidPosePolicy: 'freeze',
      },
      events: new EventReporter(undefined),
    });
    this.display = new Display(this.run, history);
  }

  publish(isCut = false): void {
    this.display.publish(this.simulation.living, isCut);
  }

  restore(state: SavedState): void {
    this.run.restore(state);
    this.publish(true);
  }
}

async function open(churn: Churn): Promise<Instance> {
  const instance = new Instance(churn);
  await instance.run.initialize();
  instance.publish();
  return instance;
}

/** @returns Ticks that were run. @throws Error with the violated rule. */
export async function tryChurn(churn: Churn): Promise<number> {
  const straight = await open(churn);
  const hashes = churn.ticks.map((tick) => step(straight, tick));
  let instance = await open(churn);
  let mark: SavedState | undefined;
  let ran = churn.ticks.length;
  const gone = new Set<number>();
  while (instance.run.tick < churn.ticks.length) {
    const index = instance.run.tick;
    const tick = present(churn.ticks[index]);
    const hash = step(instance, tick);
    ran += 1;
    equal(hash, hashes[index], `tick ${index + 1} differs from a run that was not saved`);
    if (tick.save === 'same') instance.restore(instance.run.save());
    if (tick.save === 'mark') mark = instance.run.save();
    if (tick.save === 'another') {
      const state = instance.run.save();
      instance = await open(churn);
      instance.restore(state);
    }
    // Once each, or it would never end.
    if (tick.save === 'back' && mark !== undefined && !gone.has(index)) {
      gone.add(index);
      instance.restore(mark);
    }
  }
  return ran;
}

function step({ run, display, simulation }: Instance, { frames }: Churn['ticks'][number]): string {
  run.runTick(1 / RATE_HZ);
  display.publish(simulation.living, false);
  for (const position of frames) display.draw(position, simulation.stale);
  return run.hash();
}
