/** Saved states that were changed, with correct checksums: restored so that the run works, or refused without effect. */
import { RecordingFormatError } from '../../../src/shared/util/errors.js';
import type { BodyId } from '../../../src/shared/memory/body-meta.js';
import type { SavedState } from '../../../src/shared/recording/recording.js';
import { poseAt } from '../../fixtures/poses.js';
import { commandOf, createToyRun, inputOf, RunToy, STEP_SECONDS } from '../../fixtures/run-toy.js';
import { changedParts, type PartChanges } from '../changed-bytes.js';

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
export async function tryChangedState(changes: PartChanges): Promise<void> {
  const run = await savedRun();
  const before = run.save();
  const changed = changedParts('saved state', before.bytes, changes);
  const { bodies } = run;
  const { bodyCount, capacity } = bodies;
  try {
    run.restore({ tick: before.tick, bytes: changed });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (bodies.bodyCount === bodyCount && isSame(run.save(), before)) return;
    throw new Error('it was refused, and something is another all the same', { cause: error });
  }
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
