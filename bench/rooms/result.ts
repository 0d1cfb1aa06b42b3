/** The result of `npm run bench:rooms` as a file. */
import * as v from 'valibot';
import {
  atLeast0,
  count,
  finite,
  flag,
  list,
  moment,
  oneOf,
  positive,
  read,
  record,
  share,
  text,
  type FileKind,
  type Frozen,
} from '../engine/schema.js';

const spread = record({ p50: atLeast0, p95: atLeast0, p99: atLeast0, max: atLeast0 });
const encodeTimes = record({ mean: atLeast0, elapsed: spread });
const error = record({ max: atLeast0, bound: positive });
const motion = oneOf('stirred', 'awake', 'resting');
const frames = record({ frames: count, starvedShare: share, animationErrorMs: spread });
const watched = record({ ...frames.entries, delayMs: atLeast0, seconds: positive });

const played = record({
  sessions: count,
  clients: count,
  rollbacks: count,
  repeatedTicks: count,
  late: count,
  hashes: count,
  desyncs: count,
});
/** The control: simulations that compute something else now and then. */
const control = record({ sessions: count, found: count });

const SCHEMA = record({
  format: v.literal('betwixt-bench-rooms'),
  version: v.literal(4),
  made: moment,
  machine: record({ cores: count, cpu: v.nullable(text), os: text, node: text }),
  isQuick: flag,
  stream: record({
    seconds: positive,
    movingBytesPerSecond: atLeast0,
    movingBytesPerSecondAt20Hz: atLeast0,
    restingBytesPerSecond: atLeast0,
    bitsPerBody: atLeast0,
    movingShare: share,
    encodeMs: encodeTimes,
    positionError: error,
    rotationErrorDegrees: error,
    schemas: list(
      record({
        kind: oneOf('float32', 'quantized'),
        bytesPerSecond: atLeast0,
        encodeMs: encodeTimes,
        ratio: atLeast0,
      }),
    ),
  }),
  steady: watched,
  lossy: watched,
  rollbacks: list(
    record({
      build: oneOf('simd', 'deterministic', 'compat'),
      motion,
      states: oneOf('kept', 'saved'),
      rollbacks: count,
      ms: spread,
      elapsedMs: spread,
      stepsMs: spread,
      ratio: spread,
      tickMs: spread,
      hashes: count,
      desyncs: count,
    }),
  ),
  sessions: record({ right: played, wrong: control }),
  /** With the engine; in how many returns a copy of its memory was put back. */
  engineSessions: record({ right: played, wrong: control, returned: count }),
  client: record({
    seconds: positive,
    rollbacks: count,
    repeatedTicks: count,
    ticks: count,
    droppedTicks: count,
    tickMs: spread,
    hashes: count,
    desyncs: count,
  }),
  load: list(
    record({
      motion,
      rooms: count,
      latenessMs: spread,
      droppedTicks: count,
      stepMs: atLeast0,
      tickMs: atLeast0,
      coreShare: atLeast0,
      stepShare: finite,
    }),
  ),
});

const KIND: FileKind = {
  format: 'betwixt-bench-rooms',
  version: 4,
  otherwise: 'this is no result of npm run bench:rooms',
};

export type RoomsResult = Frozen<v.InferOutput<typeof SCHEMA>>;

/** @throws BenchResultError naming what is wrong. */
export const readRoomsResult = (json: unknown): RoomsResult => read(SCHEMA, KIND, json);
