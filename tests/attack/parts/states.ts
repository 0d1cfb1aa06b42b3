/** Saved states that were changed, with correct checksums: restored so that the run works, or refused without effect. */
import fc from 'fast-check';
import { RecordingFormatError } from '../../../src/shared/util/errors.js';
import type { BodyId } from '../../../src/shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../../../src/shared/memory/layout.js';
import type { SavedState } from '../../../src/shared/recording/recording.js';
import { decodeRunState, encodeRunState } from '../../../src/sim-worker/run/run-state.js';
import { poseAt } from '../../fixtures/poses.js';
import { present } from '../../fixtures/present.js';
import { commandOf, createToyRun, inputOf, RunToy, STEP_SECONDS } from '../../fixtures/run-toy.js';
import { changedParts, partChanges } from '../changed-bytes.js';

/** A pose that cannot be drawn, and nothing else: such a state must be refused. */
const impossiblePoses = fc.record({
  kind: fc.constant('impossible pose' as const),
  slot: fc.nat({ max: 2 }),
  lanes: fc.constantFrom<readonly (keyof typeof LANE)[]>(
    ['x'],
    ['y'],
    ['z'],
    ['qx'],
    ['qw'],
    ['qx', 'qy', 'qz', 'qw'],
  ),
  value: fc.constantFrom(Number.NaN, Infinity, -Infinity),
});
export const stateChanges = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('parts' as const), changes: partChanges }),
  },
  impossiblePoses,
);
type StateChange = typeof stateChanges extends fc.Arbitrary<infer T> ? T : never;

/** The part of the saved bodies with their poses. */
const LANES = 1;

function changed({ tick, bytes }: SavedState, change: StateChange): SavedState {
  if (change.kind === 'parts') {
    return { tick, bytes: changedParts('saved state', bytes, change.changes) };
  }
  const state = decodeRunState(bytes);
  const poses = new Float32Array(present(state.bodies[LANES]).buffer);
  // All of a rotation: none, which is as impossible as one that is no number.
  const value = change.lanes.length === 4 ? 0 : change.value;
  for (const lane of change.lanes) poses[change.slot * BODY_LANES + LANE[lane]] = value;
  return { tick, bytes: encodeRunState(state) };
}

/** A toy that checks what it is given, as every simulation should. */
class CarefulToy extends RunToy {
  override restore(bytes: Uint8Array): void {
    if (bytes.length % 24 !== 0) throw new RangeError('it has parts of numbers');
    const numbers = [...new Float64Array(bytes.slice().buffer)];
    const ids = numbers.slice(0, numbers.length / 3);
    const { bodies } = this.context;
    if (new Set(ids).size !== ids.length || !ids.every((id) => bodies.isAlive(id as BodyId))) {
      throw new RangeError('it names bodies that do not live');
    }
    if (!numbers.every(Number.isFinite)) throw new RangeError('it has invalid numbers');
    super.restore(bytes);
  }
}

async function savedRun() {
  const { run } = await createToyRun({}, new CarefulToy());
  // Slots that are free.
  const gone = [1, 2].map((x) => run.bodies.spawn(poseAt(x)));
  for (const id of gone) run.bodies.despawn(id);
  for (let tick = 1; tick <= 5; tick++) {
    run.runTick(STEP_SECONDS, {
      inputs: [inputOf(tick, 0.5, 0.5)],
      commands: tick === 3 ? [commandOf('push', [1, 2])] : [],
    });
  }
  return run;
}

/** @throws Error unless it is refused without effect, or leaves a run that continues. */
export async function tryChangedState(change: StateChange): Promise<void> {
  const run = await savedRun();
  const before = run.save();
  const { bodies } = run;
  const { bodyCount, capacity } = bodies;
  try {
    run.restore(changed(before, change));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (bodies.bodyCount === bodyCount && isSame(run.save(), before)) return;
    throw new Error('it was refused, and something is another all the same', { cause: error });
  }
  if (change.kind !== 'parts') throw new Error('a state with an impossible pose was restored');
  run.runTick(STEP_SECONDS);
  const saved = run.save();
  run.restore(saved);
  if (!isSame(run.save(), saved)) throw new Error('a state comes back as another');
  const ids: BodyId[] = [];
  while (bodies.bodyCount < capacity) ids.push(bodies.spawn(poseAt(0)));
  if (!ids.every((id) => bodies.isAlive(id))) throw new Error('two bodies have one slot');
}

/** A state of another engine is refused by a plain Error. */
const isRefusal = (error: unknown): boolean =>
  error instanceof RecordingFormatError ||
  (error instanceof Error && error.message.startsWith('it was made with the engine'));

const isSame = (a: SavedState, b: SavedState): boolean =>
  a.tick === b.tick && Buffer.compare(a.bytes, b.bytes) === 0;
