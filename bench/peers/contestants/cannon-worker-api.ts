/** `@pmndrs/cannon-worker-api`, the worker of use-cannon: each frame asks for a step, poses come by an event. */
import { CannonWorkerAPI, type BodyProps } from '@pmndrs/cannon-worker-api';
import {
  CANNON_CONTACTS,
  CANNON_ITERATIONS,
  CANNON_TOLERANCE,
  INSTANCED_PROBE_Y,
  MAX_SUB_STEPS,
  PROBE_RADIUS,
  PROBE_SPEED,
  SINGLE_PROBE_Y,
  placed,
} from '../scene/peer-scene.js';
import { DENSITY } from '../../engines/bench-world.js';
import type { BenchScene } from '../../scenes/index.js';
import { OutsideWork, type Contestant, type OpenContestant } from './contestant.js';
import { DrawnBodies } from './drawn-bodies.js';

type AddBodies = Parameters<CannonWorkerAPI['addBodies']>[0];
type Triplet = [number, number, number];

const TICK_SECONDS = 1 / 60;
const SINGLE = 'single';
const INSTANCED = 'instanced';
const NO_DAMPING = { linearDamping: 0, angularDamping: 0 };

/** The API's message to its listeners, as far as it is used here. */
interface FrameMessage {
  readonly positions: Float32Array;
  readonly quaternions: Float32Array;
  /** Only after bodies were added: their order. */
  readonly bodies?: readonly string[];
}

export const openCannonWorkerApi: OpenContestant = async (scene): Promise<Contestant> => {
  const api = new CannonWorkerAPI({
    gravity: [0, scene.gravity.y, 0],
    size: scene.bodies.length + scene.statics.length + 2,
    iterations: CANNON_ITERATIONS,
    tolerance: CANNON_TOLERANCE,
    broadphase: 'Naive',
    defaultContactMaterial: CANNON_CONTACTS,
  });
  const drawn = new DrawnBodies(scene.bodies.length);
  const outside = new OutsideWork();
  const instances = [...scene.bodies.map((_, index) => boxName(index)), INSTANCED];
  // The indices of the bodies in the arrays, updated only when they change.
  let indices: number[] = [];
  let singleIndex = 0;
  let [lastSeconds, fedSeconds] = [0, 0];
  // The step that is being computed, and the one that is drawn: stamp, and time in the worker's
  // accumulator.
  let [askedMs, askedRestMs, drawnMs, drawnRestMs, frameMs] = [0, 0, 0, 0, 0];

  const draw = ({ positions, quaternions, bodies }: FrameMessage): void => {
    if (bodies !== undefined) {
      indices = instances.map((uuid) => bodies.indexOf(uuid));
      singleIndex = bodies.indexOf(SINGLE);
    }
    for (let index = 0; index < indices.length; index++) {
      const source = indices[index] ?? 0;
      drawn.setInstance(index, positions, source * 3, quaternions, source * 4);
    }
    drawn.single.position.fromArray(positions, singleIndex * 3);
    [drawnMs, drawnRestMs] = [askedMs, askedRestMs];
  };
  const first = Promise.withResolvers<void>();
  api.on('frame', (message: FrameMessage) => {
    outside.measure(() => draw(message));
    first.resolve();
  });
  api.connect();
  api.init();
  for (const bodies of bodiesOf(scene)) api.addBodies(bodies);
  // Answered when the worker is loaded; no time passes.
  api.step({ maxSubSteps: MAX_SUB_STEPS, stepSize: TICK_SECONDS, timeSinceLastCalled: 0 });
  await first.promise;

  return {
    frame(stampMs, displaySeconds) {
      frameMs = stampMs;
      const timeSinceLastCalled = displaySeconds - lastSeconds;
      lastSeconds = displaySeconds;
      // While its buffers are transferred the API drops the step, and the time with it.
      if (hasBuffers(api)) {
        fedSeconds += timeSinceLastCalled;
        [askedMs, askedRestMs] = [stampMs, (fedSeconds % TICK_SECONDS) * 1000];
      }
      api.step({ maxSubSteps: MAX_SUB_STEPS, stepSize: TICK_SECONDS, timeSinceLastCalled });
    },
    singleX: () => drawn.singleX(),
    instancedX: () => drawn.instancedX(),
    singleZ: () => drawn.singleZ(),
    instancedZ: () => drawn.instancedZ(),
    ageMs: () => frameMs - drawnMs + drawnRestMs,
    takeOutsideMs: () => outside.take(),
    begin: () => {},
    tick: () => null,
    teleport(x) {
      api.setPosition({ uuid: SINGLE, props: [x, SINGLE_PROBE_Y, 0] });
      api.setPosition({ uuid: INSTANCED, props: [x, INSTANCED_PROBE_Y, 0] });
    },
    push(z) {
      for (const uuid of [SINGLE, INSTANCED]) api.setVelocity({ uuid, props: [PROBE_SPEED, 0, z] });
    },
    // A value of a body that does not exist is read after each step, which throws.
    failNextStep: () =>
      api.subscribe({ uuid: 'gone', props: { id: 1, target: 'bodies', type: 'position' } }),
    dispose: () => api.terminate(),
  };
};

const boxName = (index: number): string => `box ${index}`;

function hasBuffers(api: CannonWorkerAPI): boolean {
  const { buffers } = api as unknown as { readonly buffers: { readonly positions: Float32Array } };
  return buffers.positions.byteLength > 0;
}

function* bodiesOf({ bodies: boxes, statics }: BenchScene): Generator<AddBodies> {
  for (const [index, { pose, half }] of statics.entries()) {
    const args: Triplet = [half.x * 2, half.y * 2, half.z * 2];
    const props = [propsOf({ ...placed(pose), args, type: 'Static' })];
    yield { type: 'Box', uuid: [`static ${index}`], props };
  }
  if (boxes.length > 0) {
    const args: Triplet = [1, 1, 1];
    const box = { ...NO_DAMPING, args, mass: DENSITY };
    const props = boxes.map(({ pose }) => propsOf({ ...placed(pose), ...box }));
    yield { type: 'Box', uuid: boxes.map((_, index) => boxName(index)), props };
  }
  const probes = [probeAt(INSTANCED_PROBE_Y), probeAt(SINGLE_PROBE_Y)];
  yield { type: 'Sphere', uuid: [INSTANCED, SINGLE], props: probes.map(propsOf) };
}

function probeAt(y: number): BodyProps {
  return {
    args: [PROBE_RADIUS],
    type: 'Kinematic',
    mass: 0,
    position: [0, y, 0],
    velocity: [PROBE_SPEED, 0, 0],
    collisionFilterGroup: 0,
    collisionFilterMask: 0,
  };
}

/** As use-cannon's hooks pass props on: a flag replaces the listener. The types omit `args`. */
function propsOf(props: BodyProps): AddBodies['props'][number] {
  return { ...props, onCollide: false } as AddBodies['props'][number];
}
