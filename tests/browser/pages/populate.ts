/**
 * A scene whose objects `populate` makes and removes: a mesh, an instance or nothing for each body, by its number. The
 * number of a body is its tag and its x, so what is drawn can be compared with poses, tags, and the simulation's log.
 */
import { BoxGeometry, InstancedMesh, Mesh, MeshBasicMaterial, type Object3D, Scene } from 'three';
import { connect, type ConnectOptions } from '../../../src/render-main/index.js';
import { BodyBinding } from '../../../src/render-main/three/index.js';
import type { BodyId } from '../../../src/shared/index.js';
import type { simulation } from './populate.worker.js';

const CAPACITY = 8;
/** States that the page has at a time, at most. */
const HISTORY = 4;
/** Column-major matrices: the scale along x, and the position along x. */
const [MATRIX_LENGTH, SCALE_X, X] = [16, 0, 12];

const createWorker = () =>
  new Worker(new URL('./populate.worker.ts', import.meta.url), { type: 'module' });

type Kind = 'mesh' | 'instance' | 'nothing';
const kindOf = (number: number): Kind =>
  (['mesh', 'instance', 'nothing'] as const)[number % 3] as Kind;

/** What one frame shows, as text: lists of numbers of bodies. */
export interface Shown {
  /** Objects and instances of the scene. */
  readonly drawn: string;
  /** The same according to poses, tags, and the simulation's log for the two states of the frame. */
  readonly posed: string;
  readonly tagged: string;
  readonly logged: readonly string[];
  /** Objects that were made, are not drawn, and are still in the scene, or were not given to `onRemove`. */
  readonly left: number;
  /** Whether the newest tick is as near as the delay of a still picture allows: otherwise a jump is not shown yet. */
  readonly isNear: boolean;
}

const listed = (numbers: readonly number[]): string =>
  numbers
    .filter((number) => kindOf(number) !== 'nothing')
    .toSorted((a, b) => a - b)
    .map((number) => `${kindOf(number)} ${number}`)
    .join(', ');

async function populateFrom(options: ConnectOptions) {
  const sim = await connect<typeof simulation>(createWorker, { capacity: CAPACITY, ...options });
  const scene = new Scene();
  const geometry = new BoxGeometry();
  const material = new MeshBasicMaterial();
  const mesh = new InstancedMesh(geometry, material, CAPACITY);
  scene.add(mesh);
  const bodies = new BodyBinding();
  const instances = bodies.instances(mesh);
  const made = new Set<Object3D>();
  const removed = new Set<Object3D>();
  const ever = new Set<BodyId>();
  let jumps = 0;
  let replacements = 0;
  sim.on('spawn', ({ id }) => ever.add(id), { when: 'now' });
  sim.on('status', ({ kind }) => {
    if (kind === 'jumped') jumps += 1;
    if (kind === 'replaced') replacements += 1;
  });
  const end = bodies.populate(
    sim,
    ({ number }) => {
      if (kindOf(number) === 'nothing') return undefined;
      if (kindOf(number) === 'instance') return instances;
      const object = new Mesh(geometry, material);
      object.userData['number'] = number;
      made.add(object);
      return object;
    },
    { parent: scene, onRemove: (object) => removed.add(object) },
  );

  let frame: { readonly tick: number } = { tick: 0 };
  requestAnimationFrame(function draw(stamp) {
    const sampled = sim.sample(stamp);
    bodies.update(sampled);
    frame = sampled;
    requestAnimationFrame(draw);
  });

  /** Of the scene, without the help of the library. */
  const drawn = (): string => {
    const numbers: number[] = [];
    for (const object of scene.children) {
      if (object === mesh || !object.visible) continue;
      const { number } = object.userData as { readonly number: number };
      // An object that has another's place counts as two.
      numbers.push(...new Set([number, object.position.x]));
    }
    for (let index = 0; index < mesh.count; index++) {
      const matrix = mesh.instanceMatrix.array.subarray(index * MATRIX_LENGTH);
      if (matrix[SCALE_X] !== 0) numbers.push(matrix[X] as number);
    }
    return listed(numbers);
  };

  const shown = async (): Promise<Shown> => {
    // Shows what has arrived by now.
    for (let count = 0; count < 2; count++) await new Promise(requestAnimationFrame);
    const { tick } = frame;
    const pose = new Float64Array(7);
    // The first ones may have come before there was a handler.
    const ids = new Set([...ever, ...sim.bodies.keys()]);
    const posed = [...ids].flatMap((id) => sim.pose(id, pose)?.[0] ?? []);
    const tagged = [...sim.bodies.values()].map(({ number }) => number);
    const left = [...made].filter((object) => {
      const isThere = scene.children.includes(object);
      return isThere === removed.has(object) || (isThere && !object.visible);
    });
    const behind = sim.stats().tick - tick;
    const now = {
      drawn: drawn(),
      posed: listed(posed),
      tagged: listed(tagged),
      left: left.length,
      isNear: behind >= 0 && behind < HISTORY,
    };
    const logs = await Promise.all([tick, tick - 1].map((at) => sim.queries.livesAfter(at)));
    return { ...now, logged: logs.map(listed) };
  };

  return {
    sim,
    createWorker,
    shown,
    end,
    counts: () => ({ jumps, replacements, made: made.size, removed: removed.size }),
  };
}

declare global {
  /** Set by `start`. */
  var populated: Awaited<ReturnType<typeof populateFrom>>;
  var start: (options: ConnectOptions) => Promise<void>;
}
globalThis.start = async (options) => {
  globalThis.populated = await populateFrom(options);
};
