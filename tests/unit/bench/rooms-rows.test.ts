import { describe, expect, test } from 'vitest';
import { readRoomsResult, type RoomsResult } from '../../../bench/rooms/result.js';
import { rowsOf } from '../../../bench/rooms/rows.js';

const spread = (value: number) => ({ p50: value, p95: value, p99: value, max: value });
const encodeMs = { mean: 0.1, elapsed: spread(0.1) };
const watched = {
  frames: 600,
  starvedShare: 0,
  animationErrorMs: spread(0.05),
  delayMs: 80,
  seconds: 10,
};
const loadOf = (rooms: number, latenessMs: number) => {
  return {
    motion: 'stirred' as const,
    rooms,
    latenessMs: spread(latenessMs),
    droppedTicks: 0,
    stepMs: 0.5,
    tickMs: 0.7,
    coreShare: 0.5,
    stepShare: 0.7,
  };
};

const played = {
  sessions: 50,
  clients: 90,
  rollbacks: 6000,
  repeatedTicks: 60_000,
  late: 10,
  hashes: 400,
  desyncs: 0,
};

const RESULT = {
  format: 'betwixt-bench-rooms',
  version: 4,
  made: '2026-11-24T02:00:00Z',
  machine: { cores: 2, cpu: null, os: 'linux', node: 'v20' },
  isQuick: true,
  stream: {
    seconds: 3,
    movingBytesPerSecond: 32_000,
    movingBytesPerSecondAt20Hz: 24_000,
    restingBytesPerSecond: 500,
    bitsPerBody: 42,
    movingShare: 1,
    encodeMs,
    positionError: { max: 0.0004, bound: 0.0005 },
    rotationErrorDegrees: { max: 0.1, bound: 0.14 },
    schemas: [{ kind: 'quantized', bytesPerSecond: 128_000, encodeMs, ratio: 4 }],
  },
  steady: watched,
  lossy: watched,
  rollbacks: [
    {
      build: 'simd',
      motion: 'awake',
      states: 'kept',
      rollbacks: 60,
      ms: spread(5),
      elapsedMs: spread(5),
      stepsMs: spread(4),
      ratio: spread(1.25),
      tickMs: spread(0.6),
      hashes: 4,
      desyncs: 0,
    },
  ],
  sessions: { right: played, wrong: { sessions: 2, found: 2 } },
  engineSessions: { right: played, wrong: { sessions: 2, found: 2 }, returned: 6000 },
  client: {
    seconds: 600,
    rollbacks: 8000,
    repeatedTicks: 64_000,
    ticks: 36_000,
    droppedTicks: 0,
    tickMs: spread(7),
    hashes: 600,
    desyncs: 0,
  },
  load: [loadOf(20, 3), loadOf(24, 9)],
} satisfies RoomsResult;

const missed = (result: unknown): string[] =>
  rowsOf(readRoomsResult(result))
    .filter(({ isMet }) => isMet === false)
    .map(({ what }) => what);

describe('the result of the benchmark of rooms', () => {
  test('is compared with the goals', () => {
    expect(missed(RESULT)).toEqual([]);
    expect(rowsOf(RESULT).at(-1)).toMatchObject({
      figure: '20; with 24, steps of the engine take 35 % of a core, and all else 15 %',
      isMet: true,
    });
    expect(rowsOf({ ...RESULT, load: [loadOf(20, 3)] }).at(-1)).toMatchObject({ figure: '20' });
    const { stream, sessions, engineSessions, client } = RESULT;
    expect(
      missed({
        ...RESULT,
        stream: {
          ...stream,
          movingBytesPerSecond: 41_000,
          movingBytesPerSecondAt20Hz: 29_000,
          encodeMs: { ...encodeMs, mean: 0.2 },
        },
        sessions: { ...sessions, right: { ...sessions.right, desyncs: 1 } },
        engineSessions: { ...engineSessions, wrong: { sessions: 2, found: 1 } },
        client: { ...client, droppedTicks: 1 },
        load: [loadOf(16, 3), loadOf(20, 6)],
      }),
    ).toEqual([
      '200 bodies that move, at 30 Hz',
      'the same at 20 Hz',
      'encoding a packet',
      '50 random sessions with a toy',
      '  with wrong simulations',
      '600 s of a client that predicts',
      'rooms of 200 bodies at 60 Hz, stirred',
    ]);
  });

  test('is refused when it is none', () => {
    expect(() => readRoomsResult({})).toThrow('this is no result of npm run bench:rooms');
    expect(() => readRoomsResult({ ...RESULT, stream: undefined })).toThrow(
      'stream must be an object',
    );
  });
});
