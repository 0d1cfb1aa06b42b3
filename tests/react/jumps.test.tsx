/** Components and the run after jumps: seeks, restored states, replays, other workers, in any order with what React does. */
import fc from 'fast-check';
import { useRef, type JSX, type ReactNode } from 'react';
import { Box3, BoxGeometry, Vector3, type InstancedMesh } from 'three';
import { expect, test, vi } from 'vitest';
import {
  Attractor,
  BallCollider,
  CuboidCollider,
  InstancedRigidBodies,
  RigidBody,
  VehicleWheel,
  useRopeJoint,
  useSystem,
  useVehicle,
  type RapierRigidBody,
  type RigidBodyProps,
} from '../../src/react/index.js';
import { ShapeType, VehicleDesc, type Collider } from '../../src/world/page/index.js';
import { driverOf } from '../../src/world/page/page-world.js';
import type { Recording, SavedState } from '../../src/shared/index.js';
import { withResolvers } from '../../src/render-main/util/promises.js';
import { present } from '../fixtures/present.js';
import { seededRandom } from '../fixtures/seeded-random.js';
import { runLocally } from '../../src/sim-worker/run-locally.js';
import { createWorldSimulation, defineSystem } from '../../src/world/worker/index.js';
import { stepsOf, walk, type Operation, type Operations } from '../fixtures/walk.js';
import { runScene, type RunningScene } from './run-scene.js';

/** Each takes more than a second. */
const SEEDS = [1, 2, 3, 4];
/** Some of them are not possible. */
const STEPS = 20;

const bomb = { isArmed: false };
const worker = () =>
  runLocally(
    createWorldSimulation({
      bomb: defineSystem(() => ({
        beforeStep() {
          const { isArmed } = bomb;
          bomb.isArmed = false;
          if (isArmed) throw new Error('a bomb');
        },
      })),
    }),
  );

/** How a part of the scene is rendered. Another round is another key. */
interface Part {
  readonly round: number;
  readonly friction: number;
}
interface PartProps extends Pick<Part, 'round'> {
  /** The props of its body. */
  readonly of: { readonly name: string; readonly friction: number };
}
/** The things that each part adds to the world. */
interface Kind {
  readonly Part: (props: PartProps) => ReactNode;
  /** Names of what is drawn, each with a body. */
  readonly drawn: readonly string[];
  /** How many. By their mesh, if it is one that draws `name`. */
  readonly colliders: number | ((mesh: InstancedMesh) => number);
  readonly joints?: number;
  /** Characters, vehicles and systems. */
  readonly others?: number;
}

const CUBE = (
  <mesh>
    <boxGeometry />
  </mesh>
);

const Box = ({ round: count, of, at, ...rest }: PartProps & RigidBodyProps & { at: number }) => (
  // As in a game that scatters things: it begins elsewhere each time.
  <RigidBody {...of} position={[at, 0, count % 2]} linearVelocity={[0, 1, 0]} {...rest}>
    {CUBE}
  </RigidBody>
);
const Right = (props: PartProps) => <Box {...props} at={5 + props.of.friction} />;

const Ball = ({ of }: PartProps) => (
  <RigidBody
    {...of}
    position={[10, 0, 0]}
    angularVelocity={[0, 0, 1]}
    linearVelocity={[0, 2, 0]}
    colliders={false}
  >
    <BallCollider args={[of.friction]} />
    <Attractor strength={0} />
  </RigidBody>
);

const Pair = (props: PartProps) => {
  const [one, two] = [useRef<RapierRigidBody>(null), useRef<RapierRigidBody>(null)];
  useRopeJoint(one, two, [[0, 0, 0], [0, 0, 0], 1000]);
  return (
    <>
      <Box {...props} name="one" at={20} ref={one} />
      <Box {...props} name="two" at={25} ref={two} ignores={[one]} />
    </>
  );
};

const CAR = new VehicleDesc().addWheel({
  chassisConnectionPointCs: { x: 0, y: 0, z: 1 },
  radius: 0.4,
  suspensionRestLength: 0.5,
});

const Car = ({ of }: PartProps) => {
  const chassis = useRef<RapierRigidBody>(null);
  const vehicle = useVehicle(chassis, CAR);
  return (
    <RigidBody {...of} ref={chassis} position={[40, 0, 0]} linearVelocity={[0, 3, 0]}>
      <mesh>
        <boxGeometry args={[2, 0.5, 3]} />
      </mesh>
      <VehicleWheel name="wheel" vehicle={vehicle} index={0} />
    </RigidBody>
  );
};

const Rows = ({ of: { name, friction } }: PartProps) => {
  const rows = [0, 1, 2].map((key) => ({
    key,
    position: [50 + 2 * key, 0, 0] as const,
    linearVelocity: [0, 1 + key, 0] as const,
    friction,
  }));
  return (
    <InstancedRigidBodies instances={rows as never}>
      <instancedMesh name={name} args={[undefined, undefined, 3]}>
        <boxGeometry />
      </instancedMesh>
    </InstancedRigidBodies>
  );
};

const Gate = ({ of }: PartProps) => (
  <RigidBody {...of} type="fixed" position={[70, 0, of.friction]}>
    {CUBE}
  </RigidBody>
);

/** A rock whose mesh is edited. */
const Rock = ({ of }: PartProps) => (
  <RigidBody {...of} position={[80, 0, 0]} colliders="hull" linearVelocity={[0, 4, 0]}>
    <mesh name="rock mesh">
      <boxGeometry />
    </mesh>
  </RigidBody>
);

/** So are the instances of its mesh. */
const Flock = ({ of }: PartProps) => (
  <RigidBody {...of} position={[90, 0, 0]} colliders="trimesh" linearVelocity={[0, 5, 0]}>
    <instancedMesh name="flock mesh" args={[undefined, undefined, 4]} count={2}>
      <boxGeometry />
    </instancedMesh>
  </RigidBody>
);

const countOf = ({ count, geometry }: InstancedMesh): number =>
  geometry.drawRange.count === 0 ? 0 : count;

const Wind = (): null => {
  useSystem('bomb');
  return null;
};

const Wall = ({ of: { friction } }: PartProps) => (
  <CuboidCollider args={[1, 1, 1]} position={[60, 0, 0]} friction={friction} />
);

const KINDS: Readonly<Record<string, Kind>> = {
  right: { Part: Right, drawn: ['right'], colliders: 1 },
  ball: { Part: Ball, drawn: ['ball'], colliders: 1, others: 1 },
  pair: { Part: Pair, drawn: ['one', 'two'], colliders: 2, joints: 1, others: 1 },
  car: { Part: Car, drawn: ['car', 'wheel'], colliders: 1, others: 1 },
  rows: { Part: Rows, drawn: ['rows:0', 'rows:1', 'rows:2'], colliders: 3 },
  gate: { Part: Gate, drawn: ['gate'], colliders: 1 },
  wind: { Part: Wind, drawn: [], colliders: 0, others: 1 },
  wall: { Part: Wall, drawn: [], colliders: 1 },
  rock: { Part: Rock, drawn: ['rock'], colliders: countOf },
  flock: { Part: Flock, drawn: ['flock'], colliders: countOf },
};
const NAMES = Object.keys(KINDS);

/** Changes of a mesh by code, without a render. Drawn trees have all others. */
const EDITS: Readonly<
  Record<string, (mesh: InstancedMesh, pick: <T>(list: readonly T[]) => T) => void>
> = {
  replace: (mesh, pick) => void (mesh.geometry = new BoxGeometry(pick([0.5, 1, 2]), 1, 1)),
  scale: (mesh, pick) => void (mesh.scale.z = pick([0.5, 1, 2])),
  hide: (mesh, pick) => mesh.geometry.setDrawRange(0, pick([0, Infinity])),
  count: (mesh, pick) => {
    if (mesh.isInstancedMesh) mesh.count = pick([0, 1, 2, 3, 4]);
  },
};

/** The size of what has these points. */
function sizeOf(points: ArrayLike<number>): string {
  const { x, y, z } = new Box3().setFromArray(points).getSize(new Vector3());
  return [x, y, z].map(round).join(' ');
}

/** The drawn sizes of a mesh that is edited, one for each instance. */
function sizesOf(mesh: InstancedMesh): string[] {
  const { x, y, z } = mesh.scale;
  const { attributes } = mesh.geometry.clone().scale(x, y, z);
  return Array(countOf(mesh)).fill(sizeOf(present(attributes['position']).array));
}

const describe = (collider: Collider): string =>
  `${collider.shapeType()} ${collider.shapeSizes().map(round)} ${sizeOf(collider.vertices())}`;

type Places = ReadonlyMap<string, readonly number[]>;
/** A tick of the run: what was there, and where it was drawn. */
interface Past {
  readonly parts: ReadonlySet<string>;
  readonly places: Places;
  /** Shapes that collide, of bodies with numbers. */
  readonly shapes: readonly string[];
}

class Play {
  readonly scene: RunningScene;
  /** Decides what is random in the next operations. */
  random = seededRandom(1);
  readonly parts = new Map<string, Part>();
  /** Parts that the run does not have yet: a jump does not undo what comes after it. */
  readonly waiting = new Set<string>();
  /** By tick. */
  history = new Map<number, Past>();
  tick = 0;
  /** Whether its position was changed, which the run does not have yet. */
  isRightMoved = false;
  /** A mesh was edited, which the run does not have yet. */
  isEdited = false;
  readonly crashed = new Set<number>();
  saved: { readonly state: SavedState; readonly past: Past } | undefined;
  /** The tick of the replay that is shown. */
  shown: number | undefined;
  recordedUntil = 0;
  constructor(scene: RunningScene) {
    this.scene = scene;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T;
  }

  render(): Promise<void> {
    return this.scene.render(contentOf(this.parts));
  }

  placesOf(names: Iterable<string>): Places {
    const places = new Map<string, readonly number[]>();
    for (const name of names) {
      for (const drawn of present(KINDS[name]).drawn) places.set(drawn, this.placeOf(drawn));
    }
    return places;
  }

  placeOf(drawn: string): readonly number[] {
    const [name = '', row] = drawn.split(':');
    const object = this.scene.object(name);
    if (row === undefined) return object.getWorldPosition(new Vector3()).toArray().map(round);
    const { array } = (object as never as { instanceMatrix: { array: Float32Array } })
      .instanceMatrix;
    return Array.from(array.subarray(16 * Number(row) + 12, 16 * Number(row) + 15), round);
  }

  /** Until what a jump has led to is shown. */
  async settle(): Promise<void> {
    for (let look = 0; look < 4; look++) {
      await this.scene.frame();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  note(): void {
    const parts = new Set(this.parts.keys());
    const past = { parts, places: this.placesOf(parts), shapes: this.shapes() };
    this.history.set(this.tick, past);
  }

  shapes(): readonly string[] {
    const { simulation, world } = this.scene;
    const isIn = (collider: Collider): boolean => {
      const { handle, id } = collider.parent() ?? {};
      return simulation.bodies.get(id as never) === handle && handle !== undefined;
    };
    return world.colliders.getAll().filter(isIn).map(describe).toSorted();
  }

  mesh(name: string): InstancedMesh {
    return this.scene.object(`${name} mesh`) as InstancedMesh;
  }

  collidersOf(name: string): number {
    const { colliders } = present(KINDS[name]);
    return typeof colliders === 'number' ? colliders : colliders(this.mesh(name));
  }

  /** Runs a tick, after which everything that is mounted is there. */
  async advance(): Promise<void> {
    await this.scene.ticks(1);
    this.tick += 1;
    this.waiting.clear();
    await this.settle();
    const right = this.parts.get('right');
    if (right !== undefined && this.isRightMoved) {
      expect(this.placeOf('right')[0]).toBe(round(5 + right.friction));
    }
    this.isRightMoved = false;
    this.isEdited = false;
    this.expectRun();
    this.note();
  }

  /** @param hasGate Whether there is a fixed body: only if it was moved it has a number. */
  living(hasGate: boolean): number {
    const { bodies } = this.scene.simulation;
    const numbered = this.scene.world.bodies
      .getAll()
      .filter((body) => bodies.get(body.id as never) === body.handle);
    const isGateNumbered = numbered.some((body) => body.isFixed());
    return bodies.size + (hasGate && !isGateNumbered ? 1 : 0);
  }

  expectRun(): void {
    const { world } = this.scene;
    const sum = (of: (kind: Kind, name: string) => number | undefined): number =>
      [...this.parts.keys()].reduce((all, name) => all + (of(present(KINDS[name]), name) ?? 0), 0);
    const gate = this.parts.get('gate');
    const { bodies, colliders, impulseJoints } = world;
    const made = [bodies, colliders, impulseJoints].map((of) => of.len());
    const expected = {
      bodies: sum(({ drawn }) => drawn.length),
      colliders: sum((_, name) => this.collidersOf(name)),
      joints: sum((kind) => kind.joints),
      others: sum((kind) => kind.others),
    };
    const others = driverOf(world).items.length - made.reduce((all, count) => all + count);
    expect([...made, others]).toEqual(Object.values(expected));
    expect(this.living(gate !== undefined)).toBe(expected.bodies);
    if (gate !== undefined) expect(this.placeOf('gate')).toEqual([70, 0, gate.friction]);
    // Each where its own body is, and nothing where another is.
    const drawn = [...this.placesOf(this.parts.keys()).values()].map(String).toSorted();
    const simulated = bodies
      .getAll()
      .map((body) => String(new Vector3().copy(body.translation()).toArray().map(round)));
    expect(drawn).toEqual(simulated.toSorted());
    const frictions = colliders.getAll().map((collider) => collider.friction());
    const wanted = [...this.parts].flatMap(([name, { friction }]) =>
      Array.from({ length: this.collidersOf(name) }, () => friction),
    );
    expect(frictions.map(round).toSorted()).toEqual(wanted.map(round).toSorted());
    for (const [name, type] of [
      ['rock', ShapeType.ConvexPolyhedron],
      ['flock', ShapeType.TriMesh],
    ] as const) {
      const all = colliders.getAll().filter((collider) => collider.shapeType() === type);
      const sizes = all.map((collider) => sizeOf(collider.vertices()));
      const drawnSizes = this.parts.has(name) ? sizesOf(this.mesh(name)) : [];
      expect([name, ...sizes.toSorted()]).toEqual([name, ...drawnSizes.toSorted()]);
    }
  }

  /** A part that was there then, and still has a component, is drawn where it was. */
  expectPast({ parts, places }: Past): void {
    for (const name of parts) {
      // A part that the run does not have yet comes after a jump.
      const isLater = this.shown === undefined && this.waiting.has(name);
      if (!this.parts.has(name) || isLater || name === 'gate') continue;
      for (const drawn of present(KINDS[name]).drawn) {
        expect([drawn, ...this.placeOf(drawn)]).toEqual([drawn, ...present(places.get(drawn))]);
      }
    }
  }

  /** @param isLanded Whether the page has asked what is there: it does not ask again for colliders that a recording changes. */
  expectShown(isLanded: boolean): void {
    if (this.shown === undefined) return;
    const past = present(this.history.get(this.shown));
    this.expectPast(past);
    const bodies = [...past.parts].reduce(
      (all, name) => all + present(KINDS[name]).drawn.length,
      0,
    );
    expect(this.living(past.parts.has('gate'))).toBe(bodies);
    if (isLanded && !this.isEdited) expect(this.shapes()).toEqual(past.shapes);
  }

  /** The run is elsewhere. Half of the time, something is rendered before a frame shows that. */
  async land(tick: number): Promise<void> {
    this.tick = tick;
    for (const later of this.history.keys()) if (later > tick) this.history.delete(later);
    const past = present(this.history.get(tick));
    if (this.random() < 0.5) await this.render();
    await this.settle();
    this.expectPast(past);
    await this.advance();
  }
}

type Act = (play: Play) => unknown;

const REPLAYS: Readonly<Record<string, Act>> = {
  async seekReplay(play) {
    play.shown = play.pick([...play.history.keys()].filter((tick) => tick <= play.recordedUntil));
    await play.scene.simulation.replay?.seek(play.shown);
  },
  async playReplay(play) {
    if (play.shown === undefined || play.shown >= play.recordedUntil) return;
    await play.scene.simulation.step(1);
    play.shown += 1;
  },
  async close(play) {
    await play.scene.simulation.replay?.close();
    const tick = present(play.shown);
    play.shown = undefined;
    await play.land(tick);
  },
};

const LIVE: Readonly<Record<string, Act>> = {
  advance: (play) => play.advance(),
  async seek(play) {
    const tick = play.pick([...play.history.keys()]);
    await play.scene.simulation.seek(tick);
    await play.land(tick);
  },
  async save(play) {
    const past = present(play.history.get(play.tick));
    play.saved = { state: await play.scene.simulation.save(), past };
  },
  async restore(play) {
    if (play.saved === undefined) return;
    const { state, past } = play.saved;
    await play.scene.simulation.restore(state);
    play.history = new Map([[state.tick, past]]);
    await play.land(state.tick);
  },
  async replay(play) {
    const recording: Recording = play.scene.simulation.recording();
    play.recordedUntil = play.tick;
    play.shown = play.pick([...play.history.keys()]);
    await play.scene.simulation.openReplay(recording, { tick: play.shown });
  },
  worker: (play) => play.scene.simulation.replaceWorker(),
  async crash(play) {
    if (!play.parts.has('wind') || play.waiting.has('wind')) return;
    // A tick that fails twice loses its commands.
    if (play.crashed.has(play.tick)) return;
    play.crashed.add(play.tick);
    bomb.isArmed = true;
    const { promise, resolve } = withResolvers<void>();
    const off = play.scene.simulation.on('status', ({ kind }) => {
      if (kind === 'restarted') resolve();
    });
    await play.scene.simulation.step(1).catch(() => {});
    await promise;
    off();
    await play.settle();
    play.expectPast(present(play.history.get(play.tick)));
    await play.advance();
  },
};

const REACT: Readonly<Record<string, Act>> = {
  async mount(play) {
    if (play.parts.size === NAMES.length) return;
    const name = play.pick(NAMES.filter((other) => !play.parts.has(other)));
    play.parts.set(name, { round: 0, friction: 0.5 });
    play.waiting.add(name);
    await play.render();
  },
  async unmount(play) {
    play.parts.delete(play.pick(NAMES));
    await play.render();
  },
  async change(play) {
    const name = play.pick(NAMES);
    const part = play.parts.get(name);
    if (part === undefined) return;
    play.parts.set(name, { ...part, friction: round(part.friction + 0.25) });
    if (name === 'right') {
      play.waiting.add(name);
      play.isRightMoved = true;
    }
    await play.render();
  },
  async key(play) {
    for (const [name, part] of play.parts) {
      play.parts.set(name, { ...part, round: part.round + 1 });
      play.waiting.add(name);
    }
    await play.render();
  },
  rerender: (play) => play.render(),
  async edit(play) {
    const name = play.pick(['rock', 'flock'].filter((other) => play.parts.has(other)));
    if (name === undefined) return;
    const edit = play.pick(Object.keys(EDITS));
    present(EDITS[edit])(play.mesh(name), (list) => play.pick(list));
    play.isEdited ||= play.shown === undefined;
    if (play.random() < 0.5) await play.scene.frame();
  },
};

/** Each draws what is random in it. Acts on a replay are for while one is shown, and most others are not. */
const asOperation =
  (name: string, act: Act): Operation<Play> =>
  async (play, n) => {
    const isShown = play.shown !== undefined;
    if (name in REACT || name in REPLAYS === isShown) {
      play.random = seededRandom(n);
      await act(play);
    }
  };

const OPERATIONS: Operations<Play> = Object.fromEntries(
  Object.entries({ ...REACT, ...LIVE, ...REPLAYS }).map(([name, act]) => [
    name,
    [name in REACT ? 1 : 2, asOperation(name, act)] as const,
  ]),
);

const round = (number: number): number => Math.round(number * 1000) / 1000 + 0;

const contentOf = (parts: ReadonlyMap<string, Part>): JSX.Element => (
  <>
    {[...parts].map(([name, { round: count, friction }]) => {
      const { Part } = present(KINDS[name]);
      return <Part key={`${name} ${count}`} round={count} of={{ name, friction }} />;
    })}
  </>
);

/** A scene of some parts, after its first tick. */
async function begin(isStrict: boolean, names: readonly string[]): Promise<Play> {
  const play = new Play(await runScene(null, { isStrict, gravity: [0, 0, 0], worker }));
  for (const name of names) play.parts.set(name, { round: 0, friction: 0.5 });
  await play.render();
  await play.advance();
  return play;
}

test('components take over what a state of another page has', async () => {
  const [one, two] = [await begin(false, NAMES), await begin(false, NAMES)];
  // Things of the page get numbers that the other page has not made.
  for (let again = 1; again <= 3; again++) {
    for (const [name, part] of one.parts) one.parts.set(name, { ...part, round: again });
    await one.render();
    await one.advance();
  }
  const state = await one.scene.simulation.save();
  await two.scene.simulation.restore(state);
  two.tick = state.tick;
  await two.settle();
  two.expectPast(present(one.history.get(one.tick)));
  await two.advance();
  await two.scene.simulation.replaceWorker();
  await two.settle();
  await two.advance();
  // A replay shows all that the other page had made, also what no component has.
  const { simulation, world } = two.scene;
  await simulation.openReplay(simulation.recording(), { tick: state.tick });
  await two.settle();
  const made = [one.scene.world, world].map((of) => driverOf(of).items.length);
  expect(made[1]).toBe(made[0]);
});

const walks = fc.record({
  isStrict: fc.boolean(),
  names: fc.subarray(NAMES, { minLength: 4 }),
  steps: stepsOf(OPERATIONS, { minLength: STEPS, maxLength: STEPS + 10, max: 10_000 }),
});

test.each(SEEDS)(
  'bodies and components agree after every jump, in the order of seed %i',
  async (seed) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const property = fc.asyncProperty(walks, async ({ isStrict, names, steps }) => {
      const play = await begin(isStrict, names);
      await walk(OPERATIONS, play, steps, async ({ name }, acted) => {
        await acted;
        if (play.shown === undefined) {
          if (name in REACT && play.random() < 0.7) await play.advance();
          return;
        }
        await play.settle();
        play.expectShown(name === 'seekReplay' || name === 'replay');
      });
      if (play.shown !== undefined) await play.scene.simulation.replay?.close();
      // No component uses what was removed.
      expect(warn.mock.calls.join('\n')).not.toContain('was removed');
    });
    await fc.assert(property, { seed, numRuns: 1 });
  },
);
