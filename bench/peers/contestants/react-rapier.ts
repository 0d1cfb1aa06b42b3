/** `@react-three/rapier` with React and fiber: a renderer that draws nothing, and frames by `advance`. */
import { advance, createRoot, extend } from '@react-three/fiber';
import {
  InstancedRigidBodies,
  Physics,
  RigidBody,
  useRapier,
  type InstancedRigidBodyProps,
  type PhysicsProps,
  type RapierRigidBody,
  type RigidBodyProps,
} from '@react-three/rapier';
import { Suspense, act, createElement, createRef, useEffect, type ReactNode } from 'react';
import { BoxGeometry, InstancedMesh, Mesh, MeshBasicMaterial, Object3D } from 'three';
import {
  INSTANCED_PROBE_Y,
  PROBE_SPEED,
  SINGLE_PROBE_Y,
  SURFACE,
  placed,
} from '../scene/peer-scene.js';
import type { BenchScene } from '../../scenes/index.js';
import { rendererStub } from '../../react/renderer-stub.js';
import type { Contestant, OpenContestant } from './contestant.js';
import { instancedXOf, instancedZOf } from './drawn-bodies.js';

/** The library cuts longer frames than this. */
const MAX_STEP_SECONDS = 0.5;

/** Parts of the scene, placed by React. */
class Parts {
  readonly singleMesh = createRef<Mesh>();
  readonly instancedMesh = createRef<InstancedMesh>();
  readonly singleBody = createRef<RapierRigidBody>();
  readonly instancedBodies = createRef<(RapierRigidBody | null)[]>();
}

/** Each body with a separate mesh. */
export const openReactRapier: OpenContestant = (scene) => open(scene, false);
/** All boxes and the probe as instances. */
export const openReactRapierInstanced: OpenContestant = (scene) => open(scene, true);

async function open(scene: BenchScene, isInstanced: boolean): Promise<Contestant> {
  // Development builds of React offer `act`, production builds do not: measuring the former would
  // not be fair.
  if (typeof act === 'function') throw new Error('React must be its production build');
  extend({ Mesh, InstancedMesh, Object3D });
  const canvas = document.createElement('canvas');
  const root = createRoot(canvas);
  await root.configure({
    frameloop: 'never',
    gl: rendererStub(canvas),
    size: { width: 640, height: 360, top: 0, left: 0 },
  });
  const parts = new Parts();
  await new Promise<void>((resolve) => {
    const bodies = isInstanced ? instances(scene, parts) : meshes(scene, parts);
    const ready = createElement(Ready, { key: 'ready', onReady: resolve });
    const props: PhysicsProps = {
      gravity: [0, scene.gravity.y, 0],
      timeStep: 1 / 60,
      interpolate: true,
      colliders: false,
      children: [statics(scene), bodies, ready],
    };
    root.render(createElement(Suspense, { fallback: null }, createElement(Physics, props)));
  });
  // The library draws a body by an object that contains the mesh.
  const single = parts.singleMesh.current?.parent;
  const instanced = parts.instancedMesh.current;
  const singleX = (): number => single?.position.x ?? Number.NaN;
  const instancedX = (): number => (instanced === null ? Number.NaN : instancedXOf(instanced));
  const probe = (): RapierRigidBody | null | undefined =>
    parts.singleBody.current ?? parts.instancedBodies.current?.at(-1);
  let [lastSeconds, fedSeconds] = [0, 0];
  return {
    frame(_stampMs, displaySeconds) {
      fedSeconds += Math.min(displaySeconds - lastSeconds, MAX_STEP_SECONDS);
      lastSeconds = displaySeconds;
      advance(displaySeconds);
    },
    singleX,
    instancedX,
    singleZ: () => single?.position.z ?? Number.NaN,
    instancedZ: () => (instanced === null ? Number.NaN : instancedZOf(instanced)),
    ageMs: () => (fedSeconds - (isInstanced ? instancedX() : singleX())) * 1000,
    takeOutsideMs: () => 0,
    begin: () => {},
    tick: () => null,
    teleport(x) {
      const body = probe();
      body?.setTranslation({ ...body.translation(), x }, true);
    },
    push: (z) => probe()?.setLinvel({ x: PROBE_SPEED, y: 0, z }, true),
    failNextStep: null,
    dispose: () => root.unmount(),
  };
}

/** Next to the bodies: its effect runs after theirs, when the engine is there. */
function Ready({ onReady }: { readonly onReady: () => void }): ReactNode {
  const { world } = useRapier();
  useEffect(onReady, [world, onReady]);
  return null;
}

function statics(scene: BenchScene): ReactNode[] {
  return scene.statics.map(({ pose, half }, index) => {
    const geometry = new BoxGeometry(half.x * 2, half.y * 2, half.z * 2);
    return createElement(
      RigidBody,
      { key: `static ${index}`, type: 'fixed', colliders: 'cuboid', ...SURFACE, ...placed(pose) },
      createElement('mesh', { geometry, material: new MeshBasicMaterial() }),
    );
  });
}

function meshes(scene: BenchScene, parts: Parts): ReactNode[] {
  const [geometry, material] = [new BoxGeometry(), new MeshBasicMaterial()];
  const boxes = scene.bodies.map(({ pose }, key) =>
    createElement(
      RigidBody,
      { key, colliders: 'cuboid', canSleep: false, ...SURFACE, ...placed(pose) },
      createElement('mesh', { geometry, material }),
    ),
  );
  const probe = createElement(
    RigidBody,
    { key: 'probe', colliders: 'cuboid', ...probeAt(SINGLE_PROBE_Y), ref: parts.singleBody },
    createElement('mesh', { geometry, material, ref: parts.singleMesh }),
  );
  return [...boxes, probe];
}

function instances(scene: BenchScene, parts: Parts): ReactNode {
  const [geometry, material] = [new BoxGeometry(), new MeshBasicMaterial()];
  const bodies: InstancedRigidBodyProps[] = scene.bodies.map(({ pose }, key) => {
    return { key, canSleep: false, ...placed(pose) };
  });
  bodies.push({ key: 'probe', ...probeAt(INSTANCED_PROBE_Y) });
  const args = [geometry, material, bodies.length];
  return createElement(InstancedRigidBodies, {
    key: 'boxes',
    instances: bodies,
    colliders: 'cuboid',
    ...SURFACE,
    ref: parts.instancedBodies,
    children: createElement('instancedMesh', { args, ref: parts.instancedMesh }),
  });
}

function probeAt(y: number): RigidBodyProps {
  return {
    canSleep: false,
    gravityScale: 0,
    collisionGroups: 0,
    linearVelocity: [PROBE_SPEED, 0, 0],
    position: [0, y, 0],
  };
}
