import { beforeEach, expect, test } from 'vitest';
import { EventDispatcher } from '../../../../src/render-main/traffic/event-dispatcher.js';
import { ShownBodies } from '../../../../src/render-main/traffic/shown-bodies.js';
import { bodyId, type BodyId } from '../../../../src/shared/memory/body-meta.js';
import type { BodiesMessage } from '../../../../src/shared/protocol/control-protocol.js';

const [A, B, C] = [bodyId(0, 1), bodyId(1, 1), bodyId(2, 1)] as const;

let events: EventDispatcher;
let bodies: ShownBodies;
let jumps: number[];
let log: string[];
const nameOf = (id: BodyId): string => ['A', 'B', 'C'][[A, B, C].indexOf(id)] ?? String(id);

beforeEach(() => {
  events = new EventDispatcher();
  jumps = [];
  bodies = new ShownBodies(events, (tick) => jumps.push(tick));
  log = [];
  for (const [name, sign] of [['spawn', '+'] as const, ['despawn', '-'] as const]) {
    events.on(name as 'sleep', (event) => {
      const { id, tag, tick } = event as unknown as { id: BodyId; tag: unknown; tick: number };
      log.push(`${sign}${nameOf(id)} ${JSON.stringify(tag)} in ${tick}`);
    });
  }
});

function receive(state: number, change: Partial<BodiesMessage>): void {
  const { spawned = [] } = change;
  bodies.receive({
    type: 'betwixt:bodies',
    state,
    tick: state,
    virtualMs: 10 * state,
    isComplete: false,
    despawned: [],
    tags: spawned.map(() => '"tag"'),
    ...change,
    spawned,
  });
}

function show(state: number, worker = 0): readonly string[] {
  bodies.show(worker, state);
  bodies.applyBefore(Number.POSITIVE_INFINITY);
  return [...bodies.map.keys()].map(nameOf);
}

test('the shown bodies change when their state is shown, and not before', () => {
  receive(0, { isComplete: true, spawned: [A] });
  receive(3, { spawned: [B], despawned: [A] });
  expect(show(-1)).toEqual([]);
  expect([show(0), show(2)]).toEqual([['A'], ['A']]);
  expect(log).toEqual(['+A "tag" in 0']);
  expect(show(5)).toEqual(['B']);
  expect(log.slice(1)).toEqual(['-A "tag" in 3', '+B "tag" in 3']);
});

test('the shown bodies follow when a message is later than its state', () => {
  show(4);
  receive(2, { spawned: [A] });
  expect(bodies.map.size).toBe(0);
  expect(show(4)).toEqual(['A']);
});

test('after a jump, shown bodies that are the same live on; others go, and then come', () => {
  receive(0, { isComplete: true, spawned: [A, B], tags: ['1', '2'] });
  receive(1, { isComplete: true, spawned: [C, B, A], tags: ['3', '9', '1'] });
  expect(show(1)).toEqual(['A', 'C', 'B']);
  expect(log.slice(2)).toEqual(['-B 2 in 1', '+C 3 in 1', '+B 9 in 1']);
});

test('the bodies of another worker wait until that one is shown', () => {
  receive(0, { isComplete: true, spawned: [A] });
  receive(7, { spawned: [B] });
  show(6);
  bodies.attach();
  receive(0, { isComplete: true, spawned: [A, C] });
  expect(show(6)).toEqual(['A']);
  expect(show(0, 1)).toEqual(['A', 'C']);
  expect(log.slice(1)).toEqual(['+B "tag" in 7', '-B "tag" in 0', '+C "tag" in 0']);
});

test('the shown bodies precede the events of their tick, and a jump follows those before it', () => {
  receive(0, { isComplete: true, spawned: [A] });
  receive(1, { spawned: [B] });
  receive(2, { isComplete: true, spawned: [C] });
  bodies.show(0, 2);
  const before = (virtualMs: number): string[] => {
    bodies.applyBefore(virtualMs);
    return [...bodies.map.keys()].map(nameOf);
  };
  expect([0, 10, 20, 21].map(before)).toEqual([['A'], ['A', 'B'], ['A', 'B'], ['C']]);
});

test('a jump is reported when it is shown, after the changes of bodies and the events before it', () => {
  receive(0, { isComplete: true, spawned: [A] });
  receive(1, { isComplete: true, spawned: [B] });
  show(0);
  expect(jumps).toEqual([]);
  bodies.show(0, 1);
  bodies.applyBefore(10);
  expect(jumps).toEqual([]);
  show(1);
  expect([jumps, log.length]).toEqual([[1], 3]);
  // The first list of another worker is no jump, and the second one is, also without bodies.
  bodies.attach();
  receive(0, { isComplete: true });
  receive(2, { isComplete: true });
  show(0, 1);
  expect(jumps).toEqual([1]);
  show(2, 1);
  expect(jumps).toEqual([1, 2]);
});

test('a handler of spawned bodies may sample the next frame', () => {
  const sampled: (readonly string[])[] = [];
  receive(0, { isComplete: true, spawned: [A, B] });
  receive(1, { despawned: [A], spawned: [C] });
  const off = events.on('spawn' as 'sleep', () => {
    off();
    sampled.push(show(1));
  });
  expect(show(0)).toEqual(['B', 'C']);
  expect(sampled).toEqual([['B', 'C']]);
  expect(log.map((line) => line.slice(0, 2))).toEqual(['+A', '+B', '-A', '+C']);
});

test('handlers of spawned bodies that are added late get every change that is not shown yet', () => {
  receive(0, { isComplete: true, spawned: [A] });
  const seen: unknown[] = [];
  events.on('spawn' as 'sleep', (event) => seen.push(event));
  show(0);
  expect(seen).toEqual([{ id: A, tag: 'tag', tick: 0 }]);
});

test('a page that shows no frames keeps a limited number of changes', () => {
  receive(0, { isComplete: true, spawned: [A, B] });
  show(0);
  receive(0, { isComplete: true, spawned: [A, B] });
  for (let state = 1; state < 66_001; state++) {
    receive(state, state % 2 === 0 ? { despawned: [C] } : { spawned: [C] });
  }
  expect(bodies.waiting).toBeLessThan(65_600);
  expect(show(66_001)).toEqual(['A', 'B']);
  expect(jumps).toEqual([0]);
  expect(bodies.waiting).toBe(0);
});

test('changes of bodies that are shown are not kept, even if others always wait', () => {
  receive(0, { isComplete: true, spawned: [] });
  for (let state = 1; state < 5000; state++) {
    receive(state, state % 2 === 0 ? { despawned: [C] } : { spawned: [C] });
    show(state - 1);
  }
  expect(bodies.waiting).toBe(1);
});
