/** Driving by inputs: keys, gamepads and the pad. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DRIVE_AXES, DRIVE_KEYS } from '../../demo/contract/drive-contract.js';
import { Driver } from '../../demo/simulation/driver.js';
import type { InputKind, TickInput } from '../../src/shared/input/input-event.js';
import { keyCode, type KeyName } from '../../src/shared/input/key-codes.js';
import { present } from '../fixtures/present.js';
import { rapier } from '../fixtures/scene-run.js';
import { StagedScene, type SavedStagedScene } from '../fixtures/staged-scene.js';

const STEP_SECONDS = 1 / 60;
const REQUEST = { name: 'vehicle', bodies: 10, seed: 1 } as const;

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

describe('the driver', () => {
  test.each([
    ['forwards', { throttle: 1, steer: 0, brake: 0 }],
    ['backwards', { throttle: -1, steer: 0, brake: 0 }],
    ['left', { throttle: 0, steer: -1, brake: 0 }],
    ['right', { throttle: 0, steer: 1, brake: 0 }],
    ['brake', { throttle: 0, steer: 0, brake: 1 }],
  ] as const)('keys: %s', (pedal, expected) => {
    for (const key of DRIVE_KEYS[pedal]) {
      const driver = new Driver();
      expect(driver.apply([press(key)])).toEqual(expected);
      expect(driver.apply([])).toEqual(expected);
      expect(driver.apply([released(key)])).toEqual({ throttle: 0, steer: 0, brake: 0 });
    }
  });

  test('a gamepad with the standard mapping, whatever its index', () => {
    const driver = new Driver();
    driver.apply([
      input('gamepadaxis', 0, -0.5, 2),
      input('gamepadbutton', 7, 0.75, 2),
      input('gamepadbutton', 0, 1, 2),
      // Numbers that the pad has as well, and other axes.
      input('gamepadaxis', 1, 0.5, 2),
      input('gamepadaxis', 3, 0.5, 2),
    ]);
    expect(driver.apply([input('gamepadbutton', 6, 0.25, 2)])).toEqual({
      throttle: 0.5,
      steer: -0.5,
      brake: 1,
    });
  });

  test('the pad, whose last value stays in effect', () => {
    const driver = new Driver();
    driver.apply([pad('throttle', 0.25), pad('throttle', -0.5), pad('steer', 0.125)]);
    expect(driver.apply([pad('brake', 1)])).toEqual({ throttle: -0.5, steer: 0.125, brake: 1 });
  });

  test('all of them are added, and clamped to their range', () => {
    const anInput = fc.oneof(
      fc.constantFrom(...Object.values(DRIVE_KEYS).flat()).map(press),
      fc.constantFrom(...Object.values(DRIVE_KEYS).flat()).map(released),
      fc
        .tuple(
          fc.constantFrom<InputKind>('custom', 'gamepadaxis', 'gamepadbutton'),
          fc.nat(8),
          fc.double({ min: -9, max: 9, noNaN: true }),
          fc.nat(5),
        )
        .map((values) => input(...values)),
    );
    fc.assert(
      fc.property(fc.array(anInput), (inputs) => {
        const { throttle, steer, brake } = new Driver().apply(inputs);
        expect(Math.abs(throttle)).toBeLessThanOrEqual(1);
        expect(Math.abs(steer)).toBeLessThanOrEqual(1);
        expect(brake).toBeGreaterThanOrEqual(0);
        expect(brake).toBeLessThanOrEqual(1);
      }),
    );
    expect(new Driver().apply([press('KeyW'), pad('throttle', -0.5)]).throttle).toBe(0.5);
    expect(new Driver().apply([press('KeyW'), press('KeyS')]).throttle).toBe(0);
  });

  test('restored, it knows the held inputs', () => {
    const driver = new Driver();
    driver.apply([press('ArrowUp'), pad('steer', -0.25), input('gamepadbutton', 0, 0.5, 1)]);
    const next = new Driver();
    next.apply([press('KeyD')]);
    next.restore(driver.save());
    expect(next.save()).toEqual(driver.save());
    expect(next.apply([])).toEqual({ throttle: 1, steer: -0.25, brake: 0.5 });
    expect(next.apply([released('ArrowUp')]).throttle).toBe(0);
  });
});

function startCar() {
  const scene = new StagedScene(rapier, REQUEST, 40);
  const car = present(scene.stage.describe().follow);
  const position = (): [x: number, z: number] => {
    const { x, z } = present(scene.stage.physics.rigidBodyOf(car)).translation();
    return [x, z];
  };
  return {
    bodies: scene.bodies,
    position,
    /**
     * Runs this many ticks, of which the first gets the inputs. @returns The car's position then.
     */
    play(ticks: number, inputs: readonly TickInput[] = []): [x: number, z: number] {
      scene.stage.step(STEP_SECONDS, inputs);
      for (let tick = 1; tick < ticks; tick++) scene.stage.step(STEP_SECONDS);
      return position();
    },
    save: () => scene.save(),
    restore: (saved: SavedStagedScene) => scene.restore(saved),
    close: () => scene.close(),
  };
}

describe('the car', () => {
  test.each([
    ['keys', [press('KeyW'), press('ArrowRight')]],
    ['a gamepad', [input('gamepadbutton', 7, 1), input('gamepadaxis', 0, 1)]],
    ['the pad', [pad('throttle', 1), pad('steer', 1)]],
  ])('is driven by %s, for as long as they are held', (_, inputs) => {
    const [rolling, driven] = [startCar(), startCar()];
    const [, rolledTo] = rolling.play(90);
    const [x, z] = driven.play(90, inputs);
    // It goes along −z; right is +x there.
    expect(rolledTo - z).toBeGreaterThan(0.5);
    expect(x).toBeGreaterThan(0.5);
    rolling.close();
    driven.close();
  });

  test('brakes', () => {
    const car = startCar();
    car.play(30);
    const [, z] = car.play(60, [press('ShiftLeft')]);
    expect(Math.abs(car.play(30)[1] - z)).toBeLessThan(0.05);
    car.close();
  });

  test('a key that is held when the state is saved is held when it is restored', () => {
    const car = startCar();
    car.play(30, [press('KeyW')]);
    const saved = car.save();
    const inputs = [press('KeyD')];
    const expected = car.play(60, inputs);
    car.play(30, [released('KeyW'), released('KeyD')]);
    car.restore(saved);
    // Another input, so that the held ones are evaluated: W is still down.
    expect(car.play(60, inputs)).toEqual(expected);
    car.close();
  });

  test('a scene that is rebuilt has no held inputs', () => {
    const held = startCar();
    held.play(5, [press('KeyW')]);
    held.close();
    const [fresh, control] = [startCar(), startCar()];
    expect(fresh.play(30, [released('KeyS')])).toEqual(control.play(30));
    fresh.close();
    control.close();
  });
});
