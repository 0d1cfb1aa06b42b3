/** Worlds that are edited at random: what they lead to, and that their handles stay theirs. */
import fc from 'fast-check';
import { expose } from 'comlink';
import { expect, inject, test, vi } from 'vitest';
import * as page from '../../../src/world/page/index.js';
import type { Collider, ImpulseJoint, RigidBody } from '../../../src/world/page/index.js';
import { unpackParts } from '../../../src/rapier/saved-parts.js';
import { reviveWorld, unpackWorld } from '../../../src/rapier/rapier-saved.js';
import { loadRapier, type Rapier } from '../../../src/rapier/rapier.js';
import type { LocalWorker } from '../../../src/sim-worker/run-locally.js';
import { withResolvers } from '../../../src/render-main/util/promises.js';
import { setPiecesWorker } from '../../../src/world/page/pieces.js';
import { findPieces, type PiecesOf } from '../../../src/world/worker/find-pieces.js';
import { replay as replayAnew } from '../../../src/sim-worker/index.js';
import { createWorldSimulation } from '../../../src/world/worker/index.js';
import { decodeRunState } from '../../../src/sim-worker/run/run-state.js';
import { present } from '../../fixtures/present.js';
import { callJoint } from '../../fixtures/raw-joints.js';
import { ring } from '../../fixtures/rings.js';
import { expectEqual, expectSame } from '../../fixtures/quick-checks.js';
import { SYSTEMS } from '../../fixtures/world-systems.js';
import { TappedWorker } from '../../fixtures/tapped-worker.js';
import { WorkerFailedError } from '../../../src/shared/util/errors.js';
import { stepsOf, walk, type Operation, type Operations } from '../../fixtures/walk.js';
import {
  BELT_SETTINGS,
  BODY_SETTINGS,
  BREAK_FORCE,
  COLLIDER_SETTINGS,
  FREE_SETTINGS,
  JOINTS,
  JOINT_SETTINGS,
  MOTION,
  MOVING_ONLY,
  OWN_ONLY,
  SHAPES,
  type Setting,
} from '../../fixtures/world-edits.js';
import {
  advance,
  createWorldForTest,
  warningsOfTest,
  batchesOf,
  draw,
  RECORDED,
  shows,
  worldWorker,
  type WorldForTest,
} from '../../fixtures/worlds.js';

/** A worker of its own takes most of the time of a run. */
const RUNS = inject('transport') === 'local' ? 5 : 3;
/** Between bodies, in m: most touch their neighbours, so that belts carry. */
const APART = 1;
/** Most are dynamic. */
const TYPES = [0, 0, 0, 1, 2, 3];
const GRAVITIES = [-9.8125, 0, 1.5];
const QUERIED = { gravity: { x: 0, y: -9.8125, z: 0 }, queries: true } as const;

/** Indices into lists and tables, of whatever length they have. */
interface Choice {
  readonly other: number;
  readonly value: number;
}

interface Thing<Handle extends object> {
  readonly handle: Handle;
  /** The last call of each group. */
  sets: ReadonlyMap<string, readonly [Setting, readonly unknown[]]>;
}
interface EditedBody extends Thing<RigidBody> {
  /** From 1, and never used again. */
  readonly serial: number;
  type: number;
  /** Whether ticks may have moved it. */
  isMoved: boolean;
}
interface EditedCollider extends Thing<Collider> {
  readonly parent: EditedBody | undefined;
  shape: number;
}
interface EditedJoint extends Thing<ImpulseJoint> {
  readonly type: number;
  readonly bodies: readonly [EditedBody, EditedBody];
}

let rings = 0;
/** One whose pieces nothing has computed yet. */
function newRing(): (of: typeof page.ColliderDesc) => page.ColliderDesc {
  const { vertices, indices } = ring(6);
  vertices[1] = (rings += 1) / 2 ** 16;
  const make = (of: typeof page.ColliderDesc) =>
    of.convexDecomposition(vertices, indices, { resolution: 16 });
  // The engine computes them again for each description.
  let ofEngine: page.Shape | undefined;
  return (of) => (of === page.ColliderDesc ? make(of) : new of((ofEngine ??= make(of).shape)));
}

const none = (): void => {};

/** Which body of the engine is which: an exact factor that nothing else sets. */
const identityOf = ({ serial }: { readonly serial: number }): number => 1 + serial / 1024;
const at = <T>(list: readonly T[], index: number): T | undefined =>
  list[index % Math.max(1, list.length)];

/** A world, and what its edits have led to. */
class EditedWorld {
  readonly world: WorldForTest;
  readonly hasTicks: boolean;
  /** Workers that may fail. The last one runs. */
  readonly workers: readonly TappedWorker[];
  /** States of this model at ticks that a seek may go to. */
  readonly moments: { readonly tick: number; readonly restore: () => void }[] = [];
  gravity = -9.8125;
  bodies: readonly EditedBody[] = [];
  colliders: readonly EditedCollider[] = [];
  joints: readonly EditedJoint[] = [];
  /** The ticks of events that are part of the run. */
  readonly #broken = new Map<ImpulseJoint, number>();
  readonly shapes = [...SHAPES, newRing()];
  /** Shapes that colliders were given. */
  readonly nextShapes: page.Shape[] = [];
  /** Has the pieces of the ring computed. */
  readonly cut: () => void;
  #serials = 0;

  constructor(world: WorldForTest, hasTicks: boolean, workers: readonly TappedWorker[] = []) {
    this.world = world;
    this.workers = workers;
    this.hasTicks = hasTicks;
    const { promise, resolve } = withResolvers<void>();
    this.cut = resolve;
    const find = (mesh: PiecesOf) => promise.then(() => findPieces(mesh));
    const postMessage = ({ port }: { readonly port: MessagePort }) => expose(find, port);
    const worker = { postMessage, addEventListener: none, removeEventListener: none };
    setPiecesWorker(() => ({ ...worker, terminate: none }));
    world.on('broken', ({ joint, tick }) => this.#noteBroken(joint, tick));
  }

  #noteBroken(handle: ImpulseJoint, tick: number): void {
    expectSame(handle.isValid(), false);
    const joint = this.joints.find((one) => one.handle === handle);
    // The page may have removed it, or a body of it.
    if (joint === undefined) return void expectSame(this.#broken.has(handle), false);
    this.#broken.set(handle, tick);
    this.joints = this.joints.filter((one) => one !== joint);
  }

  async endTurn(ticks: number): Promise<void> {
    this.requireReads(true);
    await Promise.resolve();
    this.requireReads(true);
    if (!this.hasTicks || ticks === 0) return;
    await this.advance(ticks);
    this.requireReads(false);
  }

  addBody(type: number): void {
    const serial = (this.#serials += 1);
    const desc = new page.RigidBodyDesc(type as never).setTranslation(serial * APART, 0, 0);
    const handle = this.world.createRigidBody(desc.setGravityScale(identityOf({ serial })));
    const body = { serial, type, isMoved: type === 0, handle, sets: new Map() };
    this.bodies = [...this.bodies, body];
  }

  addCollider(parent: EditedBody | undefined, shapeIndex: number): void {
    const shape = shapeIndex % this.shapes.length;
    const desc = present(this.shapes[shape])(page.ColliderDesc);
    const handle = this.world.createCollider(desc, parent?.handle);
    this.colliders = [...this.colliders, { parent, shape, handle, sets: new Map() }];
  }

  addJoint(pick: number, other: number, value: number): void {
    // The engine itself (Rapier 0.20) panics if both bodies of a joint are disabled.
    const enabled = this.bodies.filter(({ sets }) => !sets.has('setEnabled'));
    const first = at(enabled, pick);
    const second = at(
      enabled.filter((body) => body !== first),
      other,
    );
    if (first === undefined || second === undefined) return;
    const type = value % JOINTS.length;
    const data = present(JOINTS[type]).describe(page.JointData);
    const handle = this.world.createImpulseJoint(data, first.handle, second.handle, true);
    const bodies = [first, second] as const;
    const joint = { type, bodies, handle, sets: new Map() };
    this.joints = [...this.joints, joint];
    if (pick % 2 > 0) this.set(joint, [BREAK_FORCE], { other, value: other });
  }

  set(thing: Thing<object>, settings: readonly Setting[], { other, value }: Choice): void {
    const setting = present(at(settings, other));
    let args = present(at(setting.values, value));
    if ('serial' in thing) {
      const body = thing as EditedBody;
      if (MOVING_ONLY.has(setting.setter) && body.type !== 0) return;
      const isHeld = this.joints.some(({ bodies }) => bodies.includes(body));
      if (isHeld && setting.setter === 'setEnabled') return;
      if (setting.setter === 'setTranslation') {
        const { x, y, z } = args[0] as { x: number; y: number; z: number };
        args = [{ x: x + body.serial * APART, y, z }, true];
      }
    }
    callJoint(thing.handle, setting.setter, args);
    thing.sets = new Map(thing.sets).set(setting.group, [setting, args]);
  }

  setType(body: EditedBody, type: number): void {
    // The engine drops velocities with some changes.
    if (!this.hasTicks && [...MOVING_ONLY].some((setter) => body.sets.has(setter))) return;
    body.type = type;
    body.isMoved ||= type === 0;
    body.handle.setBodyType(type as never, true);
  }

  removeBody(body: EditedBody): void {
    this.world.removeRigidBody(body.handle);
    this.bodies = this.bodies.filter((one) => one !== body);
    this.colliders = this.colliders.filter(({ parent }) => parent !== body);
    this.joints = this.joints.filter(({ bodies }) => !bodies.includes(body));
  }

  /** A worker that hangs comes back. */
  async advance(ticks: number): Promise<void> {
    this.workers.at(-1)?.release();
    const ticked = advance(this.world, ticks);
    // The world's worker may have just died.
    await ticked.catch((error: unknown) => {
      if (!(error instanceof WorkerFailedError)) throw error;
      return advance(this.world, ticks);
    });
  }

  /** Runs ticks until one has all changes. */
  async settle(): Promise<void> {
    this.cut();
    for (const { handle } of this.colliders) await handle.shape.ready;
    // A collider has its shape of before until the pieces of the next one are there.
    for (const { ready } of this.nextShapes) await ready;
    do await this.advance(1);
    while (batchesOf(this.world).isPending);
    const { tick } = (await this.world.ready).stats();
    // Joints have broken when that is shown.
    await shows(this.world, () => expectSame(draw(this.world).tick, tick));
    const { gravity, bodies, colliders, joints } = this;
    const things = [...bodies, ...colliders, ...joints].map((thing) => [thing, { ...thing }]);
    const restore = (): void => {
      for (const [thing, copy] of things) Object.assign(thing as object, copy);
      Object.assign(this, { gravity, bodies, colliders, joints });
      for (const [handle, brokenAt] of this.#broken) {
        if (brokenAt > tick) this.#broken.delete(handle);
      }
    };
    this.moments.push({ tick, restore });
  }

  /** The run goes to a tick at which it has been. */
  takeMoment(n: number): { readonly tick: number; readonly restore: () => void } {
    this.moments.length = 1 + (n % this.moments.length);
    return present(this.moments.at(-1));
  }

  /** Frames are drawn until the page has what a jump has led to. */
  follows(): Promise<void> {
    return shows(this.world, () => this.requireReads(false));
  }

  /** Handles give back what was written, each its own. */
  requireReads(isMotionKnown: boolean): void {
    const { world } = this;
    expectSame(world.bodies.len(), this.bodies.length);
    expectSame(world.colliders.len(), this.colliders.length);
    expectSame(world.impulseJoints.len(), this.joints.length);
    for (const body of this.bodies) {
      const { handle } = body;
      expectSame(world.getRigidBody(handle.handle), handle);
      expectSame(handle.bodyType(), body.type);
      expectSame(handle.gravityScale(), identityOf(body));
      const own = this.colliders.filter(({ parent }) => parent === body);
      expectSame(handle.numColliders(), own.length);
      requireSettings(body, isMotionKnown && !this.hasTicks);
    }
    for (const { handle, parent, sets } of this.colliders) {
      expectSame(world.getCollider(handle.handle), handle);
      expectSame(handle.parent(), parent?.handle ?? null);
      requireSettings({ handle, sets }, true);
    }
    for (const { handle, bodies, sets } of this.joints) {
      expectSame(world.getImpulseJoint(handle.handle), handle);
      expectSame(handle.body1(), bodies[0].handle);
      requireSettings({ handle, sets }, true);
    }
  }
}

/** An operation on one of the things, if there is any. */
const on =
  <Kind extends 'bodies' | 'colliders' | 'joints'>(
    kind: Kind,
    edit: (edited: EditedWorld, thing: EditedWorld[Kind][number], choice: Choice) => void,
  ): Operation<EditedWorld, Choice> =>
  (edited, n, choice) => {
    const thing = at<EditedWorld[Kind][number]>(edited[kind], n);
    if (thing !== undefined) edit(edited, thing, choice);
  };

const OPERATIONS: Operations<EditedWorld, Choice> = {
  turn: [2, (edited, _, { value }) => edited.endTurn(value % 8)],
  addBody: [
    2,
    (edited, _, { other, value }) => {
      edited.addBody(present(at(TYPES, other)));
      // Without one it has no mass.
      if (value % 3 > 0) edited.addCollider(edited.bodies.at(-1), value);
    },
  ],
  addCollider: [
    2,
    (edited, n, { other }) =>
      edited.addCollider(edited.bodies[n % (edited.bodies.length + 1)], other),
  ],
  addJoint: [4, (edited, n, { other, value }) => edited.addJoint(n, other, value)],
  cut: (edited) => edited.cut(),
  setGravity(edited, n) {
    edited.gravity = present(at(GRAVITIES, n));
    edited.world.gravity = { x: 0, y: edited.gravity, z: 0 };
  },
  setBody: [2, on('bodies', (edited, body, choice) => edited.set(body, BODY_SETTINGS, choice))],
  setCollider: on('colliders', (edited, collider, choice) =>
    edited.set(collider, collider.parent ? COLLIDER_SETTINGS : FREE_SETTINGS, choice),
  ),
  setJoint: on('joints', (edited, joint, choice) =>
    edited.set(joint, present(JOINTS[joint.type]).settings, choice),
  ),
  setBelt: on('bodies', (edited, body, choice) => edited.set(body, BELT_SETTINGS, choice)),
  setBreakForce: [
    2,
    on('joints', (edited, joint, choice) => edited.set(joint, [BREAK_FORCE], choice)),
  ],
  setShape: on('colliders', (edited, collider, { other }) => {
    collider.shape = other % edited.shapes.length;
    const desc = present(edited.shapes[collider.shape])(page.ColliderDesc);
    edited.nextShapes.push(desc.shape);
    collider.handle.setShape(desc);
  }),
  setType: on('bodies', (edited, body, { other }) => edited.setType(body, other % 4)),
  removeBody: on('bodies', (edited, body) => edited.removeBody(body)),
  removeCollider: on('colliders', (edited, collider) => {
    edited.world.removeCollider(collider.handle);
    edited.colliders = edited.colliders.filter((one) => one !== collider);
  }),
  removeJoint: on('joints', (edited, joint) => {
    edited.world.removeImpulseJoint(joint.handle);
    edited.joints = edited.joints.filter((one) => one !== joint);
  }),
};

/** Faults of the worker, and ways of the run, while the page changes the world. */
const FAULTS: Operations<EditedWorld, Choice> = {
  async dies(edited, n) {
    // A tick on which several workers die is left out.
    await edited.advance(2);
    const { world, workers } = edited;
    const handle = await world.ready;
    // In a tick, after it, or in none.
    if (n % 4 > 0) handle.step(1).catch(() => {});
    for (let turn = 0; turn < n; turn++) await new Promise((resolve) => setImmediate(resolve));
    workers.at(-1)?.die();
  },
  hangs: ({ workers }) => workers.at(-1)?.hang(),
  /** As after an edit of its script. */
  async swap(edited) {
    await edited.advance(1);
    await (await edited.world.ready).replaceWorker();
    await edited.follows();
  },
  async seek(edited, n, choice) {
    await edited.settle();
    const { tick, restore } = edited.takeMoment(n);
    const seeking = (await edited.world.ready).seek(tick);
    const before = edited.bodies;
    restore();
    const body = at(
      edited.bodies.filter((one) => before.includes(one)),
      choice.other,
    );
    if (body !== undefined) edited.set(body, BODY_SETTINGS, choice);
    await seeking;
    await edited.follows();
  },
  /** The run continues where it is closed. */
  async replay(edited, n, choice) {
    await edited.settle();
    const handle = await edited.world.ready;
    const { tick, restore } = edited.takeMoment(n);
    const replay = await handle.openReplay(handle.recording());
    // With all that its bodies touched, broke and carried.
    expectSame((await replay.seek(tick)).differsAt, undefined);
    restore();
    await edited.follows();
    for (const body of edited.bodies) edited.set(body, BODY_SETTINGS, choice);
    await Promise.resolve();
    await replay.close();
    await edited.follows();
  },
};

function requireSettings({ handle, sets }: Thing<object>, isMotionKnown: boolean): void {
  for (const [{ setter, getter, group, reads = [] }, args] of sets.values()) {
    if (!(getter in handle)) continue;
    if ('numColliders' in handle && MOTION.has(setter) && !isMotionKnown) continue;
    // No engine has it yet.
    if (group === 'mass' && 'shape' in handle && !(handle as Collider).shape.isReady) continue;
    const first = setter === 'setLimits' ? args.at(-1) : args[0];
    const expected = setter === 'setBreakForce' ? args : first;
    // The engine, which a jump asks, has an angle and an axis of it.
    const as = getter === 'rotationWrtParent' ? rounded : plain;
    expectEqual([setter, as(callJoint(handle, getter, reads))], [setter, as(expected)]);
  }
}

/** Values without classes, with other numbers. */
const changed = (value: unknown, change: (number: number) => number): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'number' ? change(part) : part)) ??
      'null',
  );
/** As 32 bits hold them. Whole numbers stay exact: they may be bits. */
const plain = (value: unknown) =>
  changed(value, (number) => (Number.isInteger(number) ? number : Math.fround(number)));
const rounded = (value: unknown) => changed(value, (number) => Number(number.toFixed(4)) + 0);

/** Without what the engine lacks, and what would break joints in the first step. */
const setAll = (handle: object, sets: Iterable<readonly [Setting, readonly unknown[]]>): void => {
  for (const [{ setter }, args] of sets) {
    if (!OWN_ONLY.has(setter)) callJoint(handle, setter, args);
  }
};

/**
 * Builds what edits have led to at once.
 *
 * @param classes The page's, or Rapier's module.
 * @param into A world of the page, or of Rapier.
 * @param describes Whether settings are part of descriptions, as far as these have a method for them.
 */
function buildAtOnce(edited: EditedWorld, classes: unknown, into: unknown, describes: boolean) {
  const { RigidBodyDesc, ColliderDesc, JointData } = classes as typeof page;
  const world = into as page.World;
  const handles = new Map<unknown, RigidBody>();
  /** @returns What remains to be set once it is there. */
  const describe = (desc: object, { sets }: Thing<object>) =>
    [...sets.values()].filter(([{ describedBy }, args]) => {
      if (!describes || !(describedBy in desc)) return true;
      const isVector = describedBy === 'setTranslation' || describedBy === 'setLinvel';
      const { x, y, z } = args[0] as { x: unknown; y: unknown; z: unknown };
      callJoint(desc, describedBy, isVector ? [x, y, z] : args);
      return false;
    });
  for (const body of edited.bodies) {
    const desc = new RigidBodyDesc(body.type as never).setGravityScale(identityOf(body));
    desc.setTranslation(body.serial * APART, 0, 0);
    const rest = describe(desc, body);
    const handle = world.createRigidBody(desc);
    setAll(handle, rest);
    handles.set(body, handle);
  }
  for (const collider of edited.colliders) {
    const desc = present(edited.shapes[collider.shape])(ColliderDesc);
    const rest = describe(desc, collider);
    setAll(world.createCollider(desc, handles.get(collider.parent)), rest);
  }
  for (const { type, bodies, sets } of edited.joints) {
    const [a, b] = bodies.map((body) => present(handles.get(body)));
    const data = present(JOINTS[type]).describe(JointData);
    setAll(world.createImpulseJoint(data, present(a), present(b), true), sets.values());
  }
}

type EngineWorld = InstanceType<Rapier['World']>;

function read(target: object, settings: readonly Setting[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { setter, getter } of settings) {
    if (!(getter in target) || OWN_ONLY.has(setter)) continue;
    const value = plain(callJoint(target, getter, []));
    // The engine converts a collider's rotation to an angle and an axis, unless it is part of a description.
    values[getter] = getter === 'rotationWrtParent' ? rounded(value) : value;
  }
  return values;
}

/**
 * Everything that the engine tells of its world, without what depends on the order in which it was made.
 *
 * @param comparesMotion Whether poses and velocities of the body with this factor are part of it.
 */
function stateOf(world: EngineWorld, comparesMotion: (identity: number) => boolean): unknown {
  const bodies: Record<string, unknown> = {};
  const collidersOf: Record<string, string[]> = {};
  world.forEachCollider((collider) => {
    const parent = collider.parent();
    const place = rounded([collider.translation(), collider.rotation()]);
    const settings = read(collider, COLLIDER_SETTINGS);
    const shape = [collider.shapeType(), collider.volume()];
    const text = JSON.stringify([settings, shape, parent === null && place]);
    (collidersOf[parent?.gravityScale() ?? 'none'] ??= []).push(text);
  });
  world.forEachRigidBody((body) => {
    const identity = body.gravityScale();
    const colliders = collidersOf[identity] ?? [];
    const settings = BODY_SETTINGS.filter(
      ({ setter }) => !MOTION.has(setter) || comparesMotion(identity),
    );
    if (identity in bodies) throw new Error(`two bodies have the factor ${identity}`);
    // The order of several decides how their masses are rounded, and while a body is disabled, the engine counts
    // the mass of those that were added since, and not of those before.
    const mass =
      colliders.length <= 1 &&
      body.isEnabled() &&
      rounded([
        { mass: body.mass(), center: body.localCom(), inertia: body.principalInertia() },
        // Some axes are locked.
        body.effectiveInvMass(),
      ]);
    const values = read(body, settings);
    // The engine itself moves such a body by the last bit, if its center of mass is elsewhere.
    const mayShift = body.bodyType() === page.RigidBodyType.KinematicVelocityBased;
    if (mayShift && 'translation' in values) values['translation'] = rounded(values['translation']);
    bodies[identity] = [values, body.bodyType(), colliders.toSorted(), mass];
  });
  const joints: string[] = [];
  world.impulseJoints.forEach((joint) => {
    const of = [joint.body1(), joint.body2()].map((body) => body.gravityScale());
    const limits = Array.from({ length: 6 }, (_, axis) =>
      ['LimitsEnabled', 'LimitsMin', 'LimitsMax'].map((name) =>
        callJoint(world.impulseJoints.raw, `joint${name}`, [joint.handle, axis]),
      ),
    );
    joints.push(JSON.stringify([of, joint.type(), read(joint, JOINT_SETTINGS), limits]));
  });
  const free = collidersOf['none']?.toSorted();
  return [plain(world.gravity), bodies, free, joints.toSorted()];
}

/** The state of the engine in the worker, after the last tick. */
async function engineStateOf(
  world: WorldForTest,
  rapier: Rapier,
  comparesMotion: (identity: number) => boolean,
): Promise<unknown> {
  const { bytes } = await (await world.ready).save();
  const [, saved] = unpackParts('btwS', 2, decodeRunState(bytes).simulation, 'a saved simulation');
  const current = new rapier.World({ x: 0, y: 0, z: 0 });
  const engine = reviveWorld(unpackWorld(present(saved)), current, 2 ** 16);
  const state = stateOf(engine, comparesMotion);
  current.free();
  engine.free();
  return state;
}

async function compareWithFinal(edited: EditedWorld, rapier: Rapier): Promise<void> {
  const { world, bodies, joints, colliders, hasTicks } = edited;
  // The pull of a joint depends on the order of the joints, and the rounding of inertia on that of the colliders.
  const moved = hasTicks
    ? bodies.filter(({ isMoved }) => isMoved)
    : [
        ...joints.flatMap((joint) => joint.bodies),
        ...colliders.flatMap(({ parent }) => parent ?? []),
      ];
  const identities = new Set(moved.map(identityOf));
  const comparesMotion = (identity: number): boolean => !identities.has(identity);
  await edited.settle();
  const found = await engineStateOf(world, rapier, comparesMotion);
  const gravity = { x: 0, y: edited.gravity, z: 0 };
  // A world takes Rapier's own descriptions, too.
  for (const classes of [page, rapier]) {
    const onPage = createWorldForTest({ gravity });
    buildAtOnce(edited, classes, onPage, true);
    for (const collider of onPage.colliders.getAll()) await collider.shape.ready;
    await advance(onPage, 1);
    expectEqual(found, await engineStateOf(onPage, rapier, comparesMotion));
    await onPage.dispose();
  }
  const own = new rapier.World(gravity);
  own.timestep = 1 / 60;
  buildAtOnce(edited, rapier, own, false);
  own.step();
  expectEqual(found, stateOf(own, comparesMotion));
  own.free();
}

async function end(edited: EditedWorld, rapier: Rapier, walked: Promise<void>): Promise<void> {
  try {
    await walked;
    await compareWithFinal(edited, rapier);
    if (edited.workers.length === 0) return;
    // Joints that a jump has made whole break under this load. Without jumps, each tick has the same state.
    edited.world.gravity = { x: 0, y: -90, z: 0 };
    await edited.advance(20);
    const recording = (await edited.world.ready).recording();
    expectSame((await replayAnew(createWorldSimulation(SYSTEMS), recording)).differsAt, undefined);
  } finally {
    edited.cut();
    await edited.world.dispose();
  }
}

const stepsIn = (
  ...rows: readonly (readonly [name: string, n?: number, other?: number, value?: number])[]
) => rows.map(([name, n = 0, other = 0, value = 0]) => ({ name, n, other, value }));

const set = (setter: string) =>
  ['setBody', 0, BODY_SETTINGS.findIndex((setting) => setting.setter === setter)] as const;
const [MASS, PROPERTIES] = [set('setAdditionalMass'), set('setAdditionalMassProperties')];
/** Random edits seldom do this: they set the same value again after another setter has replaced it. */
const MASSES = stepsIn(
  ['addBody'],
  ...[MASS, PROPERTIES, MASS].flatMap((step) => [['turn'] as const, step]),
  ['turn'],
);

/** Found at random: a body is removed before its coming is shown. */
const GONE_BEFORE_SHOWN = stepsIn(
  ['addBody', 0, 15],
  ['seek', 14, 1, 3],
  ['seek', 8, 3, 38],
  ['addBody', 11, 31, 28],
  ['setBody', 30, 0, 19],
  ['setCollider', 14, 39, 12],
  ['addBody', 14, 5, 37],
  ['setShape', 2, 18, 39],
  ['addBody', 24, 0, 11],
  ['removeCollider', 29, 36, 13],
  ['removeBody', 8, 33, 9],
  ['turn', 12, 2, 4],
);

const index = fc.nat(40);
/** Most walks would have few bodies, and few joints that bear something. */
const BEGINNING = stepsIn(...[3, 5, 0, 0, 1, 2].map((other) => ['addBody', 0, other, 1] as const));
const walksOf = (operations: typeof OPERATIONS) =>
  stepsOf(operations, {
    minLength: 20,
    maxLength: 120,
    max: 40,
    more: { other: index, value: index },
  }).map((steps) => BEGINNING.concat(steps));

test.each([
  ['before the first tick', false],
  ['between ticks', true],
])('edits %s lead to the same engine as what they led to, built at once', async (_, hasTicks) => {
  // Things that were removed are changed no more.
  const warnings = warningsOfTest();
  const rapier = await loadRapier();
  await fc.assert(
    fc.asyncProperty(walksOf(OPERATIONS), async (steps) => {
      const world = createWorldForTest({ ...QUERIED, seed: 1 });
      const edited = new EditedWorld(world, hasTicks);
      // Most of what is changed between two ticks waits, and later turns change it again.
      if (hasTicks) batchesOf(world).mostUnanswered = 16;
      await world.ready;
      await end(edited, rapier, walk(OPERATIONS, edited, steps));
    }),
    { seed: 1, numRuns: RUNS, examples: hasTicks ? [] : [[MASSES]] },
  );
  expect(warnings()).toEqual([]);
});

test('edits while workers die and hang, and while the run goes back and is replayed, lead to the same engine', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const rapier = await loadRapier();
  const operations = { ...OPERATIONS, ...FAULTS };
  await fc.assert(
    fc.asyncProperty(walksOf(operations), async (steps) => {
      const workers: TappedWorker[] = [];
      const world = createWorldForTest({
        ...QUERIED,
        ...RECORDED,
        recovery: 'restart',
        transport: 'transfer',
        createWorker() {
          workers.push(new TappedWorker(worldWorker(false)('local') as LocalWorker, false));
          return present(workers.at(-1));
        },
      });
      const edited = new EditedWorld(world, true, workers);
      batchesOf(world).mostUnanswered = 16;
      await world.ready;
      await end(edited, rapier, walk(operations, edited, steps));
    }),
    { seed: 1, numRuns: 3, examples: [[GONE_BEFORE_SHOWN]] },
  );
});
