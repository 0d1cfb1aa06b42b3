import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { InputState } from '../../../../src/shared/input/input-state.js';
import {
  INPUT_KINDS,
  type InputKind,
  type TickInput,
} from '../../../../src/shared/input/tick-inputs.js';
import { keyCode, type KeyName } from '../../../../src/shared/input/key-codes.js';
import { releasesOf } from '../../../../src/shared/input/releases.js';
import { tickInput as input } from '../../../fixtures/input-values.js';
import type { Json } from '../../../../src/shared/util/json.js';

const down = (name: KeyName): TickInput => input('keydown', { code: keyCode(name) });
const up = (name: KeyName): TickInput => input('keyup', { code: keyCode(name) });

const at = (kind: InputKind, device: number, w: number, x = 0): TickInput =>
  input(kind, { device, w, x, y: -x, z: w === 0 ? 0 : 0.5 });

test.each<[string, TickInput[][], states: string]>([
  [
    'it is down from its press to its release',
    [[down('KeyW')], [], [up('KeyW')], []],
    'down pressed, down, released, ',
  ],
  [
    'pressed and released within one tick, it was pressed in it',
    [[down('KeyW'), up('KeyW')], []],
    'pressed released, ',
  ],
  [
    'released and pressed again within one tick, it is down and was pressed',
    [[down('KeyW')], [up('KeyW'), down('KeyW')]],
    'down pressed, down pressed released',
  ],
  [
    'it is pressed once, and released only if it was down',
    [[down('KeyW')], [down('KeyW'), up('KeyA')], [up('KeyW')], [up('KeyW')]],
    'down pressed, down, released, ',
  ],
])('a key in the input state, tick by tick: %s', (_, ticks, states) => {
  const state = new InputState();
  const seen = ticks.map((inputs) => {
    state.apply(inputs);
    expect(state.wasReleased('KeyA')).toBe(false);
    const is = {
      down: state.isDown('KeyW'),
      pressed: state.wasPressed('KeyW'),
      released: state.wasReleased('KeyW'),
    };
    return (['down', 'pressed', 'released'] as const).filter((one) => is[one]).join(' ');
  });
  expect(seen.join(', ')).toBe(states);
});

test('two keys are an axis: 0 while none or both are down', () => {
  const state = new InputState();
  const axis = (): number => state.keyAxis('ArrowLeft', keyCode('ArrowRight'));
  const values = [axis()];
  for (const change of [down, up].flatMap((turn) => [turn('ArrowLeft'), turn('ArrowRight')])) {
    state.apply([change]);
    values.push(axis());
  }
  expect(values).toEqual([0, -1, 0, 1, 0]);
  expect(() => state.keyAxis('ArrowLeft', 'NoSuchKey' as KeyName)).toThrow(RangeError);
});

test('keys of the input state can be queried by number, and by existing names', () => {
  const state = new InputState();
  state.apply([input('keydown', { code: 1234 })]);
  expect([state.isDown(1234), state.isDown(0)]).toEqual([true, false]);
  expect(() => state.isDown('w' as KeyName)).toThrow(RangeError);
  expect(() => state.wasPressed('w' as KeyName)).toThrow(/"w"/);
});

test('pointers of the input state are at their last position, with what is down, also if it was a tap within one tick', () => {
  const state = new InputState();
  expect(state.pointer()).toBeUndefined();
  state.apply([at('pointerdown', 3, 1, 0.25), at('pointermove', 3, 1, 0.5)]);
  const place = { device: 3, x: 0.5, y: -0.5, pressure: 0.5, buttons: 1 };
  const pressed = { isDown: true, wasPressed: true, wasReleased: false };
  expect(state.pointer(3)).toEqual({ ...place, ...pressed });
  expect(state.pointer(4)).toBeUndefined();
  state.apply([at('pointerup', 3, 0, 0.75)]);
  const released = { isDown: false, wasPressed: false, wasReleased: true };
  expect(state.pointer(3)).toMatchObject({ x: 0.75, ...released });
  state.apply([]);
  expect(state.pointer(3)).toMatchObject({ x: 0.75, wasReleased: false });
  state.apply([at('pointerdown', 3, 1), at('pointerup', 3, 0)]);
  expect(state.pointer(3)).toMatchObject({ isDown: false, wasPressed: true, wasReleased: true });
});

test('the pointer without an id is the one used last', () => {
  const state = new InputState();
  state.apply([at('pointerdown', 3, 1), at('pointerdown', 4, 1), at('pointermove', 3, 1)]);
  expect(state.pointer()?.device).toBe(3);
  expect(state.pointers().map(({ device }) => device)).toEqual([4, 3]);
});

test('pointers that are up are forgotten when there are many, oldest first', () => {
  const state = new InputState();
  state.apply([at('pointerdown', -1, 1)]);
  for (let device = 0; device < 100; device += 1) {
    state.apply([at('pointerdown', device, 1), at('pointerup', device, 0)]);
  }
  expect(state.pointers()).toHaveLength(16);
  expect(state.pointer(-1)?.isDown).toBe(true);
  expect(state.pointer(99)).toBeDefined();
});

test('the wheel adds up within a tick', () => {
  const state = new InputState();
  state.apply([input('wheel', { x: 1, y: 2, z: 3 }), input('wheel', { y: -5 })]);
  expect(state.wheel()).toEqual({ x: 1, y: -3, z: 3 });
  state.apply([]);
  expect(state.wheel()).toEqual({ x: 0, y: 0, z: 0 });
});

test('gamepads have values by device and index', () => {
  const state = new InputState();
  state.apply([
    input('gamepadaxis', { device: 1, code: 2, x: -0.5 }),
    input('gamepadbutton', { device: 1, code: 2, x: 0.25 }),
    input('gamepadbutton', { device: 0, code: 3, x: 1 }),
    input('gamepadbutton', { device: 0, code: 3, x: 0 }),
  ]);
  expect([state.axis(1, 2), state.axis(0, 2), state.button(1, 2), state.button(0, 3)]).toEqual([
    -0.5, 0, 0.25, 0,
  ]);
  expect([state.wasButtonPressed(1, 2), state.wasButtonPressed(0, 3)]).toEqual([true, true]);
  state.apply([input('gamepadbutton', { device: 1, code: 2, x: 0.5 })]);
  expect([state.button(1, 2), state.wasButtonPressed(1, 2)]).toEqual([0.5, false]);
});

const anyInput = record({
  kind: constantFrom(...INPUT_KINDS),
  code: integer({ min: -1, max: 3 }),
  device: integer({ min: -20, max: 20 }),
  x: constantFrom(-0, 0, 0.1, -1),
  y: constantFrom(-0, 1),
  z: constantFrom(-0, 0.5),
  w: constantFrom(-0, 0, 1, 3),
  fraction: constantFrom(0, 1),
});
const ticks = array(array(anyInput, { maxLength: 30 }), { maxLength: 5 });

test('an input state that is restored from JSON continues in the same way', () => {
  assert(
    property(ticks, ticks, (before, after) => {
      const state = new InputState();
      for (const inputs of before) state.apply(inputs);
      const restored = new InputState();
      restored.apply([down('KeyA'), input('pointerdown', { device: 77, w: 1 })]);
      restored.restore(JSON.parse(JSON.stringify(state.save())) as Json);
      expect(restored.save()).toStrictEqual(state.save());
      for (const inputs of [[], ...after]) {
        state.apply(inputs);
        restored.apply(inputs);
        expect(JSON.stringify(restored.save())).toBe(JSON.stringify(state.save()));
        expect(restored.pointers()).toStrictEqual(state.pointers());
        expect(restored.pointer()).toStrictEqual(state.pointer());
      }
    }),
  );
});

test('a saved input state is the same however it was reached', () => {
  const [a, b] = [new InputState(), new InputState()];
  const axes = [1, 2].map((code) => input('gamepadaxis', { code, x: 1 }));
  a.apply([down('KeyA'), down('KeyB'), ...axes]);
  b.apply([down('KeyB'), down('KeyA'), ...axes.toReversed()]);
  expect(JSON.stringify(a.save())).toBe(JSON.stringify(b.save()));
});

test('a cleared input state is as before the first tick', () => {
  const state = new InputState();
  state.apply(INPUT_KINDS.map((kind) => input(kind, { x: 1, w: 1 })));
  state.clear();
  expect(state.save()).toEqual(new InputState().save());
  expect([state.wasPressed(0), state.wasButtonPressed(0, 0)]).toEqual([false, false]);
  expect(state.wheel().x).toBe(0);
});

const nothing = { keys: [], pointers: [], buttons: [], axes: [] };
const hole: number[] = [];
hole.length = 1;
test.each<[Json, RegExp]>([
  [null, /the input state must be an object/],
  [{ ...nothing, keys: [hole] }, /keys must be rows of 1 finite numbers/],
  [{ ...nothing, keys: [1] }, /keys/],
  [{ ...nothing, pointers: [[1, 2]] }, /pointers/],
  [{ ...nothing, buttons: [[1, 2, '3']] }, /buttons/],
  [{ ...nothing, axes: 3 }, /axes/],
])('to restore %j as an input state is a TypeError and changes nothing', (json, message) => {
  const state = new InputState();
  state.apply([down('KeyW')]);
  expect(() => state.restore(json)).toThrow(TypeError);
  expect(() => state.restore(json)).toThrow(message);
  expect(state.isDown('KeyW')).toBe(true);
});

test('releases end all that is held, and leave pointers where they are', () => {
  const state = new InputState();
  state.apply([
    down('KeyW'),
    input('pointerdown', { device: 2, x: 0.5, y: -0.25, z: 1, w: 1 }),
    input('pointermove', { device: 3, x: 1 }),
    input('gamepadbutton', { device: 1, code: 4, x: 1 }),
    input('gamepadaxis', { device: 1, code: 1, x: -0.5 }),
  ]);
  state.apply(releasesOf(state));
  const pointers = [
    [3, 1, 0, 0, 0],
    [2, 0.5, -0.25, 0, 0],
  ];
  expect(state.save()).toEqual({ ...nothing, pointers });
  expect(state.wasReleased('KeyW')).toBe(true);
  expect(releasesOf(state)).toEqual([]);
});
