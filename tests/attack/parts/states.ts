/**
 * Saved states that were changed, with correct checksums: restored so that the run works, or
 * refused without effect. With a damaged bit: refused.
 */
import fc from 'fast-check';
import { RecordingFormatError } from '../../../src/shared/util/errors.js';
import type { BodyId } from '../../../src/shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../../../src/shared/memory/layout.js';
import type { SavedState } from '../../../src/shared/recording/recording.js';
import { decodeRunState, encodeRunState } from '../../../src/sim-worker/run/run-state.js';
import { commandOf, createToyRun, inputOf, RunToy, STEP_SECONDS } from '../../fixtures/run-toy.js';
import { propertyPart } from '../property.js';

const word = fc.oneof(
  fc.integer(),
  fc.constantFrom(-1, 0, 1, 2, 63, 64, 65, 4095, 4096, 0x7fc00000, 0x7f800000, 1 << 20),
);

/** A word of one of the parts of the saved bodies: sizes, poses, free slots, tags. */
const wordChange = fc.record({
  kind: fc.constant('word' as const),
  part: fc.nat({ max: 3 }),
  at: fc.nat(),
  word,
});
const lengthChange = fc.record({
  kind: fc.constant('length' as const),
  part: fc.nat({ max: 3 }),
  words: fc.nat({ max: 40 }),
});
const odd = fc.constantFrom(-1, 0, 0.5, 2 ** 33, Number.MAX_SAFE_INTEGER, 'x', null, [], {});
const headChange = fc.record({
  kind: fc.constant('run' as const),
  key: fc.constantFrom('seed', 'setup', 'capacity', 'engine', 'invalidPoses', 'generation'),
  value: odd,
});
const numberChange = fc.record({
  kind: fc.constant('number' as const),
  key: fc.constantFrom('tick', 'dt', 'simulatedSeconds'),
  value: fc.constantFrom(-1, 0, Number.NaN, Infinity, 7, 1e300),
});
/** A byte of what the simulation itself has saved, or its length. */
const ownChange = fc.record({
  kind: fc.constant('own' as const),
  at: fc.nat(),
  byte: fc.nat({ max: 255 }),
});
const ownLength = fc.record({
  kind: fc.constant('own length' as const),
  bytes: fc.oneof(fc.nat({ max: 100 }), fc.constantFrom(0, 24, 48, 72, 96)),
});
const anyChange = fc.oneof(
  wordChange,
  lengthChange,
  headChange,
  numberChange,
  ownChange,
  ownLength,
);
/** A pose that cannot be drawn, and nothing else: such a state must be refused. */
const impossiblePose = fc.record({
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
/** A bit of the bytes, with the checksum as it was: such a state must be refused, too. */
const damagedBit = fc.record({ kind: fc.constant('damaged bit' as const), bit: fc.nat() });
const changes = fc.oneof(
  { weight: 4, arbitrary: fc.array(anyChange, { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.tuple(impossiblePose) },
  { weight: 1, arbitrary: fc.tuple(damagedBit) },
);
type Change = (typeof changes extends fc.Arbitrary<infer T> ? T : never)[number];

const LANES = 1;
const TAGS = 3;

function changed(state: SavedState, list: readonly Change[]): SavedState {
  const whole = decodeRunState(state.bytes) as Record<string, unknown> &
    ReturnType<typeof decodeRunState>;
  // The tags are text: their words are bytes.
  const bodies = whole.bodies.map((part, index) =>
    index === TAGS ? part.slice() : new Int32Array(part.slice().buffer),
  );
  const head: Record<string, unknown> = { ...whole };
  for (const change of list) {
    if (change.kind === 'own') {
      const own = (head['simulation'] as Uint8Array).slice();
      if (own.length > 0) own[change.at % own.length] = change.byte;
      head['simulation'] = own;
    } else if (change.kind === 'own length') {
      const own = new Uint8Array(change.bytes);
      own.set((head['simulation'] as Uint8Array).subarray(0, change.bytes));
      head['simulation'] = own;
    } else if (change.kind === 'impossible pose') {
      const poses = new Float32Array((bodies[LANES] as Int32Array).buffer);
      // All of a rotation: none, which is as impossible as one that is no number.
      const value = change.lanes.length === 4 ? 0 : change.value;
      for (const lane of change.lanes) poses[change.slot * BODY_LANES + LANE[lane]] = value;
    } else if (change.kind === 'word') {
      const words = bodies[change.part] as Int32Array | Uint8Array;
      if (words.length > 0) words[change.at % words.length] = change.word;
    } else if (change.kind === 'length') {
      const before = bodies[change.part] as Int32Array | Uint8Array;
      const words =
        change.part === TAGS ? new Uint8Array(change.words) : new Int32Array(change.words);
      words.set(before.subarray(0, change.words));
      bodies[change.part] = words;
    } else if (change.kind === 'run') {
      head['run'] = Object.assign({}, head['run'], { [change.key]: change.value });
    } else if (change.kind === 'number') {
      head[change.key] = change.value;
    }
  }
  const packed = bodies.map(({ buffer }) => new Uint8Array(buffer));
  const tick = head['tick'] as number;
  // A varint cannot hold it: no file has it, and none is made.
  const isWritable = Number.isSafeInteger(tick) && tick >= 0;
  const rest = isWritable ? head : { ...head, tick: whole.tick };
  const bytes = encodeRunState({ ...rest, bodies: packed } as never);
  for (const change of list) {
    if (change.kind !== 'damaged bit') continue;
    const at = (change.bit >>> 3) % bytes.length;
    bytes[at] = (bytes[at] as number) ^ (1 << (change.bit & 7));
  }
  return { tick: state.tick, bytes };
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
  for (let tick = 1; tick <= 5; tick++) {
    run.runTick(STEP_SECONDS, {
      inputs: [inputOf(tick, 0.5, 0.5)],
      commands: tick === 3 ? [commandOf('push', [1, 2])] : [],
    });
  }
  return run;
}

export const savedStates = propertyPart({
  name: 'states',
  about: 'changed saved states are refused and change nothing, or leave a run that continues',
  unit: 'states',
  cases: changes,
  async check(list) {
    const run = await savedRun();
    const before = run.save();
    const { bodyCount, capacity } = run.bodies;
    try {
      run.restore(changed(before, list));
    } catch (error) {
      const isRefusal = error instanceof RecordingFormatError || isOtherRun(error);
      if (!isRefusal) throw error;
      if (run.bodies.bodyCount !== bodyCount || !isSame(run.save(), before)) {
        throw new Error('it was refused, and something is another all the same', {
          cause: error,
        });
      }
      return;
    }
    if (list.some(({ kind }) => kind === 'impossible pose')) {
      throw new Error('a body that cannot be drawn was restored');
    }
    if (list.some(({ kind }) => kind === 'damaged bit')) {
      throw new Error('a state with a damaged bit was restored');
    }
    run.runTick(STEP_SECONDS);
    const saved = run.save();
    run.restore(saved);
    if (!isSame(run.save(), saved)) throw new Error('a state comes back as another');
    const { bodies } = run;
    while (bodies.bodyCount < capacity) {
      const id = bodies.spawn({ x: 0, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 });
      if (!bodies.isAlive(id)) throw new Error('a body that was just spawned is not alive');
    }
  },
});

/** Whether it is the error of another engine's state, which is a plain Error. */
const isOtherRun = (error: unknown): error is Error =>
  error instanceof Error && error.message.startsWith('it was made with the engine');

const isSame = (a: SavedState, b: SavedState): boolean =>
  a.tick === b.tick && Buffer.compare(a.bytes, b.bytes) === 0;
