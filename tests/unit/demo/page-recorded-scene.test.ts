import { describe, expect, test } from 'vitest';
import type { Json, Recording } from '../../../src/shared/index.js';
import {
  engineBuildOf,
  fileNameOf,
  sceneOf,
  shotTicksOf,
  verdictOf,
} from '../../../demo/page/recorded-scene.js';

const recordingOf = (setup: Json): Recording => ({
  run: { seed: 1, setup, generation: 0, capacity: 64, engine: '', invalidPoses: 'freeze' },
  start: undefined,
  lastTick: 240,
  entries: [
    { kind: 'command', tick: 3, name: 'shoot', args: '[]' },
    { kind: 'command', tick: 4, name: 'release', args: '[]' },
    { kind: 'hash', tick: 60, hash: '0'.repeat(16) },
    { kind: 'command', tick: 99, name: 'shoot', args: '[]' },
  ],
  states: [],
});

describe('the scene of a recording', () => {
  test("is that of the run's setup", () => {
    const setup = { name: 'heap', bodies: 200, seed: 7 };
    expect(sceneOf(recordingOf(setup))).toEqual(setup);
  });

  test.each([
    [null, /another application/],
    ['heap', /another application/],
    [[], /another application/],
    [{ name: 'volcano', bodies: 60, seed: 1 }, /another application/],
    [{ name: 'heap', bodies: 99, seed: 1 }, /99 .*from 100 to 4000/],
    [{ name: 'heap', bodies: 100.5, seed: 1 }, /whole number/],
    [{ name: 'heap', bodies: 100 }, /undefined/],
    [{ name: 'heap', bodies: 100, seed: -1 }, /-1 .*whole number from 0/],
  ])('%j is not a scene of this page', (setup, message) => {
    expect(() => sceneOf(recordingOf(setup as Json))).toThrow(message);
  });
});

test('engine builds are recognized by name, whatever the version', () => {
  expect(engineBuildOf('rapier3d-simd 0.20.0')).toBe('simd');
  expect(engineBuildOf('rapier3d-deterministic 9.9.9')).toBe('deterministic');
  expect(engineBuildOf('rapier2d-simd 0.20.0')).toBeUndefined();
  expect(engineBuildOf('')).toBeUndefined();
});

test('shots are found among the entries', () => {
  expect(shotTicksOf(recordingOf(null))).toEqual([3, 99]);
});

test('the file is named after scene and length', () => {
  expect(fileNameOf(recordingOf(null), 'heap')).toBe('betwixt-heap-240.btwr');
});

test('verdicts say what was compared', () => {
  const report = { tick: 3600, hashes: 60, differsAt: undefined, equalUpTo: 3600 };
  expect(verdictOf(report)).toBe('Identical: 60 hashes compared');
  expect(verdictOf({ ...report, hashes: 1 }, 3540)).toBe(
    'Identical: 1 hash compared since tick 3540',
  );
  expect(verdictOf({ ...report, hashes: 0 })).toMatch(/no hashes/);
  expect(verdictOf({ ...report, differsAt: 120, equalUpTo: 60 })).toBe(
    'Differs at tick 120 (equal up to 60)',
  );
});
