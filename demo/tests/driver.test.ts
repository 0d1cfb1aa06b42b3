/** Driving by inputs: keys, gamepads and the pad. */
import { expect, test } from 'vitest';
import { DRIVE_AXES, DRIVE_KEYS } from '../contract/drive-contract.js';
import { Driver } from '../simulation/driver.js';
import type { InputKind, TickInput } from '../../src/shared/input/input-event.js';
import { keyCode, type KeyName } from '../../src/shared/input/key-codes.js';
import { rapier } from './scene-run.js';
import { StagedScene } from './staged-scene.js';

const input = (kind: InputKind, code: number, x = 0, device = 0): TickInput => ({
  kind,
  code,
  device,
  x,
  y: 0,
  z: 0,
  w: 0,
  fraction: 0.5,
});
const press = (name: KeyName): TickInput => input('keydown', keyCode(name));
const released = (name: KeyName): TickInput => input('keyup', keyCode(name));
const pad = (axis: keyof typeof DRIVE_AXES, value: number): TickInput =>
  input('custom', DRIVE_AXES[axis], value);

test.each([
  ['forwards', { throttle: 1, steer: 0, brake: 0 }],
  ['backwards', { throttle: -1, steer: 0, brake: 0 }],
  ['left', { throttle: 0, steer: -1, brake: 0 }],
  ['right', { throttle: 0, steer: 1, brake: 0 }],
  ['brake', { throttle: 0, steer: 0, brake: 1 }],
] as const)('the keys for %s drive for as long as they are held', (pedal, expected) => {
  for (const key of DRIVE_KEYS[pedal]) {
    const driver = new Driver();
    expect(driver.apply([press(key)])).toEqual(expected);
    expect(driver.apply([])).toEqual(expected);
    expect(driver.apply([released(key)])).toEqual({ throttle: 0, steer: 0, brake: 0 });
  }
});

test('a gamepad with the standard mapping drives, whatever its index', () => {
  const driver = new Driver();
  driver.apply([
    input('gamepadaxis', 0, -0.5, 2),
    input('gamepadbutton', 7, 0.75, 2),
    input('gamepadbutton', 0, 1, 2),
    // Numbers that the pad has as well.
    input('gamepadaxis', 1, 0.5, 2),
  ]);
  const expected = { throttle: 0.5, steer: -0.5, brake: 1 };
  expect(driver.apply([input('gamepadbutton', 6, 0.25, 2)])).toEqual(expected);
});

test('all inputs are added and clamped, the last value of the pad stays, and saving keeps them', () => {
  const driver = new Driver();
  driver.apply([pad('throttle', 0.25), pad('throttle', -0.5), pad('steer', 0.125)]);
  expect(driver.apply([])).toEqual({ throttle: -0.5, steer: 0.125, brake: 0 });
  expect(driver.apply([press('KeyW'), press('KeyD')])).toEqual({
    throttle: 0.5,
    steer: 1,
    brake: 0,
  });
  const next = new Driver();
  next.restore(driver.save());
  expect(next.apply([released('KeyW')])).toEqual({ throttle: -0.5, steer: 1, brake: 0 });
});

test('a key that is held when the car is saved is held when it is restored', () => {
  const scene = new StagedScene(rapier, { name: 'vehicle', bodies: 10, seed: 1 }, 40);
  const play = (inputs: readonly TickInput[]): Int32Array => {
    scene.stage.step(1 / 60, inputs);
    for (let tick = 1; tick < 60; tick++) scene.stage.step(1 / 60);
    return scene.bodies.lanes.slice();
  };
  play([press('KeyW')]);
  const saved = scene.save();
  const expected = play([press('KeyD')]);
  play([released('KeyW'), released('KeyD')]);
  scene.restore(saved);
  // Another input, so that the held ones are evaluated: W is still down.
  expect(play([press('KeyD')])).toEqual(expected);
  scene.close();
});
