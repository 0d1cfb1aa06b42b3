/** Sparks and flashes, without a browser: how many there are, and that they fade. */
import { Group, type Mesh, type MeshBasicMaterial } from 'three';
import { describe, expect, test } from 'vitest';
import type { SceneDescription, StaticLook } from '../../../demo/contract/scene-contract.js';
import { Effects, type EventSource } from '../../../demo/page/effects/effects.js';
import { Sounds } from '../../../demo/page/effects/sounds.js';
import { SPARKS, Sparks } from '../../../demo/page/effects/sparks.js';
import { radiusOf, strengthOf } from '../../../demo/page/effects/strength.js';
import type { BodyId } from '../../../src/shared/memory/body-meta.js';
import { present } from '../../fixtures/present.js';

const FRAME_SECONDS = 1 / 60;

/** A simulation of which only the events are known. */
class FakeSource {
  readonly handlers = new Map<string, (event: never) => void>();

  on(name: string, handler: (event: never) => void): () => void {
    this.handlers.set(name, handler);
    return () => this.handlers.delete(name);
  }

  emit(name: string, event: object): void {
    this.handlers.get(name)?.(event as never);
  }

  hit(changes: object = {}): void {
    const where = { x: 1, y: 2, z: 3, a: undefined, b: undefined };
    this.emit('contactForce', { ...where, force: 100, tick: 1, ...changes });
  }

  sense(sensor: number, changes: object = {}): void {
    const event = { phase: 'enter', sensor, isLate: false, ...changes };
    this.emit('sensor', event);
  }
}

const marker = (changes: Partial<StaticLook> = {}): StaticLook => ({
  shape: { kind: 'box', size: [2, 1, 4] },
  color: 0,
  position: [5, 6, 7],
  ...changes,
});

const scene = (statics: readonly StaticLook[]): SceneDescription => ({
  name: 'marbles',
  bodies: [],
  statics,
  camera: { position: [0, 0, 0], target: [0, 0, 1] },
  isDrivable: false,
});

function start(statics: readonly StaticLook[] = [marker({ sensor: 4 }), marker()]) {
  const world = new Group();
  const effects = new Effects(world, new Sounds());
  const source = new FakeSource();
  effects.connect(source as unknown as EventSource);
  effects.show(scene(statics));
  let frameMs = 1000;
  effects.update(frameMs);
  const play = (frames: number): void => {
    for (let frame = 0; frame < frames; frame++) effects.update((frameMs += 1000 * FRAME_SECONDS));
  };
  return { world, effects, source, play };
}

describe('sparks', () => {
  test('never exceed their limit, and end half a second after the last hit', () => {
    const sparks = new Sparks();
    let most = 0;
    for (let frame = 0; frame < 120; frame++) {
      for (let hit = 0; hit < 20; hit++) sparks.burst(hit, 1, 2, 1);
      most = Math.max(most, sparks.alive);
      sparks.update(FRAME_SECONDS);
    }
    expect(most).toBeGreaterThan(SPARKS / 2);
    expect(most).toBeLessThanOrEqual(SPARKS);
    expect(sparks.points.visible).toBe(true);
    for (let frame = 0; frame < 24; frame++) sparks.update(FRAME_SECONDS);
    expect(sparks.alive).toBeGreaterThan(0);
    for (let frame = 24; frame < 31; frame++) sparks.update(FRAME_SECONDS);
    expect(sparks.alive).toBe(0);
    expect(sparks.points.visible).toBe(false);
    sparks.burst(0, 0, 0, 1);
    expect(sparks.alive).toBe(burst(1).alive);
  });

  test('a harder hit has more of them, and they start from its place', () => {
    expect(burst(0).alive).toBeGreaterThan(0);
    expect(burst(1).alive).toBeGreaterThan(2 * burst(0.3).alive);
    const sparks = burst(1);
    sparks.update(FRAME_SECONDS);
    const position = sparks.points.geometry.getAttribute('position');
    const from = Array.from({ length: sparks.alive }, (_, index) =>
      Math.hypot(position.getX(index) - 10, position.getY(index) - 20, position.getZ(index) - 30),
    );
    expect(Math.max(...from)).toBeGreaterThan(0.05);
    expect(Math.max(...from)).toBeLessThan(0.2);
  });

  test('finished sparks are not drawn', () => {
    const sparks = new Sparks();
    sparks.burst(0, 0, 0, 1);
    const count = sparks.alive;
    sparks.update(0.25);
    expect(sparks.alive).toBeLessThan(count);
    const heat = sparks.points.geometry.getAttribute('heat');
    const shown = Array.from({ length: SPARKS }, (_, index) => heat.getX(index)).filter(
      (one) => one > 0,
    );
    expect(shown).toHaveLength(sparks.alive);
  });
});

describe('effects', () => {
  test('hits make sparks if their place is known', () => {
    const { effects, source, play } = start();
    source.hit({ x: Number.NaN });
    expect(effects.counts).toMatchObject({ hits: 0, sparks: 0 });
    source.hit();
    expect(effects.counts.hits).toBe(1);
    expect(effects.counts.sparks).toBeGreaterThan(5);
    play(40);
    expect(effects.counts).toMatchObject({ hits: 1, sparks: 0 });
  });

  test('a sensor lights up when a body enters, and fades', () => {
    const { world, effects, source, play } = start();
    const [glow] = flashesIn(world);
    const { material, position } = present(glow);
    expect(position.toArray()).toEqual([5, 6, 7]);
    expect(present(glow).visible).toBe(false);
    source.sense(4);
    expect(effects.counts).toMatchObject({ flashes: 1, lit: 1 });
    expect(present(glow).visible).toBe(true);
    const brightest = material.opacity;
    play(5);
    expect(material.opacity).toBeLessThan(brightest);
    expect(material.opacity).toBeGreaterThan(0);
    play(120);
    expect(effects.counts).toMatchObject({ flashes: 1, lit: 0 });
    expect(present(glow).visible).toBe(false);
  });

  test('a sensor does not light up when a body leaves or was there before, or when it is not shown', () => {
    const { effects, source } = start();
    source.sense(4, { phase: 'leave' });
    source.sense(4, { isLate: true });
    source.sense(5);
    expect(effects.counts).toMatchObject({ flashes: 0, lit: 0 });
  });

  test('another scene has other sensors, and none of the old ones glows', () => {
    const { world, effects, source } = start();
    source.sense(4);
    source.hit();
    effects.show(scene([marker({ sensor: 1 })]));
    expect(effects.counts).toMatchObject({ sparks: 0, lit: 0 });
    expect(flashesIn(world)).toHaveLength(1);
    source.sense(4);
    expect(effects.counts.lit).toBe(0);
    source.sense(1);
    expect(effects.counts.lit).toBe(1);
  });

  test('only the simulation connected last is followed', () => {
    const { world, effects, source } = start();
    const next = new FakeSource();
    effects.connect(next as unknown as EventSource);
    expect(source.handlers.size).toBe(0);
    next.hit();
    expect(effects.counts.hits).toBe(1);
    effects.dispose();
    expect(next.handlers.size).toBe(0);
    expect(world.children).toEqual([]);
  });

  test('a pause ends nothing abruptly, and time that goes backwards does nothing', () => {
    const { effects, source } = start();
    source.hit();
    effects.update(500);
    expect(effects.counts.sparks).toBeGreaterThan(0);
    effects.update(1e7);
    expect(effects.counts.sparks).toBeGreaterThan(0);
  });

  test('without Web Audio, sounds are refused by name', async () => {
    const sounds = new Sounds();
    await expect(sounds.start()).rejects.toThrow(/does not support audio/);
    await expect(sounds.stop()).resolves.toBeUndefined();
  });
});

test('strength is logarithmic, from 0 to 1', () => {
  expect([0, 1, 3000, 1e9].map(strengthOf)).toEqual([0, 0, 1, 1]);
  expect(strengthOf(100) - strengthOf(10)).toBeCloseTo(strengthOf(1000) - strengthOf(100));
});

test('a body is about as large as its first part', () => {
  const id = 1 as BodyId;
  const looks = (shape: StaticLook['shape']) => ({ id, parts: [{ shape, color: 0 }] });
  expect(radiusOf(looks({ kind: 'ball', radius: 0.3 }))).toBe(0.3);
  expect(radiusOf(looks({ kind: 'box', size: [1, 2, 4] }))).toBe(1);
  expect(radiusOf({ id, parts: [] })).toBe(1);
});

function burst(strength: number): Sparks {
  const sparks = new Sparks();
  sparks.burst(10, 20, 30, strength);
  return sparks;
}

function flashesIn(world: Group): Mesh<Mesh['geometry'], MeshBasicMaterial>[] {
  const found: Mesh<Mesh['geometry'], MeshBasicMaterial>[] = [];
  world.traverse((object) => {
    if ('isMesh' in object) found.push(object as Mesh<Mesh['geometry'], MeshBasicMaterial>);
  });
  return found;
}
