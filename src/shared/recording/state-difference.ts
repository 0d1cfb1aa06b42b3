/** Which body differs between a saved state of a recording and that of its replay. */
import { BODY_ALIVE, BODY_ASLEEP, GENERATION_MASK, bodyId } from '../memory/body-meta.js';
import { BODY_LANES, LANE } from '../memory/layout.js';
import { textOf } from '../util/bytes.js';
import { readEnvelope } from './envelope.js';
import type { SavedState } from './recording.js';

/** The bodies of a saved state: see `run-state.ts` of the worker, which writes them. */
interface ComparedBodies {
  readonly lanes: Int32Array;
  readonly poses: Float32Array;
  readonly tags: readonly unknown[];
}

/**
 * @param recorded In the recording. @param replayed Of the same tick.
 * @returns A text that names the first body that differs, by its tag or its id, with both values.
 * @throws RecordingFormatError if one is no saved state.
 */
export function differenceOf(recorded: SavedState, replayed: SavedState): string {
  const [before, after] = [bodiesOf(recorded), bodiesOf(replayed)];
  const slots = Math.max(before.lanes.length, after.lanes.length) / BODY_LANES;
  for (let slot = 0; slot < slots; slot++) {
    const [was, is] = [valuesOf(before, slot), valuesOf(after, slot)];
    if (was === is) continue;
    const name = nameOf(was === NOT_THERE ? after : before, slot);
    return `at tick ${recorded.tick}, the first body that differs is ${name}: recorded ${was}, replayed ${is}`;
  }
  return `at tick ${recorded.tick}, no body differs, but something else of the state`;
}

const bodiesOf = ({ bytes }: SavedState): ComparedBodies =>
  readEnvelope('saved state', bytes, ({ parts, requireStates }) => {
    requireStates();
    // A separate copy, so that it begins at a whole word.
    const { buffer } = new Uint8Array(parts[3] ?? []);
    const tags: unknown = JSON.parse(textOf(parts[5] ?? new Uint8Array()) || '[]');
    return {
      lanes: new Int32Array(buffer),
      poses: new Float32Array(buffer),
      tags: tags as readonly unknown[],
    };
  });

const NOT_THERE = 'not there';

function valuesOf({ lanes, poses }: ComparedBodies, slot: number): string {
  const at = slot * BODY_LANES;
  const meta = lanes[at + LANE.meta] ?? 0;
  if ((meta & BODY_ALIVE) === 0) return NOT_THERE;
  const list = (...names: readonly (keyof typeof LANE)[]): string =>
    names.map((name) => poses[at + LANE[name]]).join(', ');
  const sleep = (meta & BODY_ASLEEP) === 0 ? 'awake' : 'asleep';
  return `at (${list('x', 'y', 'z')}), rotated by (${list('qx', 'qy', 'qz', 'qw')}), ${sleep}`;
}

function nameOf({ lanes, tags }: ComparedBodies, slot: number): string {
  const tag = tags[slot] ?? null;
  if (tag !== null) return `that with the tag ${JSON.stringify(tag)}`;
  const meta = lanes[slot * BODY_LANES + LANE.meta] ?? 0;
  return `that with the id ${bodyId(slot, meta & GENERATION_MASK)}`;
}
