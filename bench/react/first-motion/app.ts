/** The application: thirty boxes that fall onto a floor. It says when it is shown, and when something has moved. */
import { createRoot, extend } from '@react-three/fiber';
import { Suspense, createElement } from 'react';
import { BoxGeometry, Mesh, MeshBasicMaterial, Object3D } from 'three';
import type { Components } from '../libraries.js';
import { rendererStub } from '../renderer-stub.js';

/** In ms, from the navigation. */
export interface FirstMotion {
  readonly shownMs: number;
  readonly movedMs: number;
}

declare global {
  /** Undefined until something has moved. */
  var firstMotion: FirstMotion | undefined;
}

const BOXES = 30;
const geometry = new BoxGeometry();
const floor = new BoxGeometry(20, 1, 20);
const material = new MeshBasicMaterial();

/** @param props More of `<Physics>`. */
export function startApp(
  { Physics, RigidBody }: Pick<Components, 'Physics' | 'RigidBody'>,
  props: { readonly queries?: boolean } = {},
): void {
  extend({ Mesh, Object3D });
  const canvas = document.createElement('canvas');
  const root = createRoot(canvas);
  const box = new Mesh(geometry, material);
  const boxes = Array.from({ length: BOXES }, (_, key) =>
    createElement(
      RigidBody,
      {
        key,
        position: [(key % 6) * 2 - 5, 2 + key / 4, 0],
        colliders: 'cuboid',
        children: undefined,
      },
      key === 0
        ? createElement('primitive', { object: box })
        : createElement('mesh', { geometry, material }),
    ),
  );
  const ground = createElement(
    RigidBody,
    {
      key: 'floor',
      type: 'fixed',
      colliders: 'cuboid',
      position: [0, -0.5, 0],
      children: undefined,
    },
    createElement('mesh', { geometry: floor, material }),
  );
  const physics = createElement(
    Physics,
    { gravity: [0, -9.81, 0], timeStep: 1 / 60, ...props, children: undefined },
    ground,
    ...boxes,
  );
  let shownMs: number | undefined;
  let fromY = 0;
  const onRender = (): void => {
    if (box.parent === null || globalThis.firstMotion !== undefined) return;
    box.updateWorldMatrix(true, false);
    const y = box.matrixWorld.elements[13] as number;
    if (shownMs === undefined) {
      shownMs = performance.now();
      fromY = y;
    } else if (y !== fromY) {
      globalThis.firstMotion = { shownMs, movedMs: performance.now() };
    }
  };
  void root
    .configure({
      gl: rendererStub(canvas, onRender),
      size: { width: 640, height: 360, top: 0, left: 0 },
    })
    .then(() => root.render(createElement(Suspense, { fallback: null }, physics)));
}
