/**
 * The same application on either library: a heap of boxes in a pit, which are mounted and unmounted on demand. Its
 * renderer draws nothing.
 */
import { createRoot, extend, flushSync, useFrame } from '@react-three/fiber';
import { Suspense, act, createElement, useEffect, useMemo, useState, type ReactNode } from 'react';
import { BoxGeometry, InstancedMesh, Mesh, MeshBasicMaterial, Object3D } from 'three';
import { SURFACE, placed } from '../peers/scene/peer-scene.js';
import type { BenchBody, BenchScene, Vector } from '../scenes/index.js';
import type { LibraryName, Subject } from './figures.js';
import { loadLibrary, type Components, type WorldOfBodies } from './libraries.js';
import { rendererStub } from './renderer-stub.js';

export interface App {
  /** Mounts or unmounts the boxes. @returns The elapsed time until the world has them or no longer has them, in ms. */
  show(isShown: boolean): Promise<number>;
}

export async function openApp(
  library: LibraryName,
  subject: Subject,
  scene: BenchScene,
): Promise<App> {
  // Development builds offer it: measuring those would not be fair.
  if (typeof act === 'function') throw new Error('React must be its production build');
  const components = await loadLibrary(library);
  extend({ Mesh, InstancedMesh, Object3D });
  const canvas = document.createElement('canvas');
  const root = createRoot(canvas);
  await root.configure({
    gl: rendererStub(canvas),
    size: { width: 640, height: 360, top: 0, left: 0 },
  });
  const { world, setShown } = await new Promise<Opened>((resolve) => {
    root.render(createElement(Scene, { components, subject, scene, onOpen: resolve }));
  });
  const fixed = scene.statics.length;
  return {
    async show(isShown) {
      const expected = fixed + (isShown ? subject.bodies : 0);
      const fromMs = performance.now();
      flushSync(() => setShown(isShown));
      // The peer makes colliders in a later render; betwixt sends at the end of the page's turn.
      do await nextTask();
      while (world.bodies.len() !== expected || world.colliders.len() !== expected);
      return performance.now() - fromMs;
    },
  };
}

interface Opened {
  readonly world: WorldOfBodies;
  readonly setShown: (isShown: boolean) => void;
}

interface SceneProps {
  readonly components: Components;
  readonly subject: Subject;
  readonly scene: BenchScene;
  readonly onOpen: (opened: Opened) => void;
}

function Scene({ components, subject, scene, onOpen }: SceneProps): ReactNode {
  const [isShown, setShown] = useState(false);
  const Boxes = subject.kind === 'instances' ? Instances : Meshes;
  const { rays } = subject;
  const physics = createElement(
    components.Physics,
    {
      gravity: [0, scene.gravity.y, 0],
      timeStep: 1 / 60,
      ...(rays === 0 && { queries: false }),
      children: undefined,
    },
    scene.statics.map(({ pose, half }, index) =>
      createElement(
        components.RigidBody,
        {
          key: index,
          type: 'fixed',
          colliders: 'cuboid',
          ...SURFACE,
          ...placed(pose),
          children: undefined,
        },
        createElement('mesh', { geometry: boxOf(half) }),
      ),
    ),
    createElement(Opener, { key: 'opener', components, setShown, onOpen }),
    rays !== undefined && createElement(Rays, { key: 'rays', components, scene, count: rays }),
    isShown && createElement(Boxes, { key: 'boxes', components, bodies: scene.bodies }),
  );
  return createElement(Suspense, { fallback: null }, physics);
}

/** Next to the bodies: its effect runs after theirs, when the peer's engine is there. */
function Opener({
  components,
  setShown,
  onOpen,
}: Pick<SceneProps, 'components' | 'onOpen'> & Pick<Opened, 'setShown'>): ReactNode {
  const { world } = components.useRapier();
  useEffect(() => onOpen({ world, setShown }), [world, setShown, onOpen]);
  return null;
}

/** Above all boxes, in m. */
const FROM_Y = 100;
/** How far gravity leans over, as a part of its size, and how long it takes to turn around. */
const LEAN = 0.3;
const TURN_SECONDS = 3;

/** Keeps the heap moving, and asks what is below points that are spread over it. */
function Rays({
  components,
  scene: { bodies, gravity },
  count,
}: Pick<SceneProps, 'components' | 'scene'> & { readonly count: number }): ReactNode {
  const { world, rapier } = components.useRapier();
  const rays = useMemo(
    () =>
      Array.from({ length: count }, (_, index) => {
        const { x, z } = (bodies[Math.floor((index * bodies.length) / count)] as BenchBody).pose;
        return new rapier.Ray({ x, y: FROM_Y, z }, { x: 0, y: -1, z: 0 });
      }),
    [rapier, bodies, count],
  );
  useFrame(({ clock }) => {
    const angle = (2 * Math.PI * clock.elapsedTime) / TURN_SECONDS;
    const [x, z] = [LEAN * gravity.y * Math.cos(angle), LEAN * gravity.y * Math.sin(angle)];
    world.gravity = { x, y: gravity.y, z };
    for (const ray of rays) world.castRay(ray, 2 * FROM_Y, true);
  });
  return null;
}

interface BoxesProps {
  readonly components: Components;
  readonly bodies: readonly BenchBody[];
}

const material = new MeshBasicMaterial();
const geometry = new BoxGeometry();

const MOVING = { colliders: 'cuboid', canSleep: false, ...SURFACE } as const;

function Meshes({ components, bodies }: BoxesProps): ReactNode {
  return bodies.map(({ pose }, key) =>
    createElement(
      components.RigidBody,
      { key, ...MOVING, ...placed(pose), children: undefined },
      createElement('mesh', { geometry, material }),
    ),
  );
}

function Instances({ components, bodies }: BoxesProps): ReactNode {
  const instances = bodies.map(({ pose }, key) => ({ key, ...placed(pose) }));
  return createElement(
    components.InstancedRigidBodies,
    { ...MOVING, instances, children: undefined },
    createElement('instancedMesh', { args: [geometry, material, bodies.length] }),
  );
}

const boxOf = ({ x, y, z }: Vector): BoxGeometry => new BoxGeometry(2 * x, 2 * y, 2 * z);

const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(0);
  });
