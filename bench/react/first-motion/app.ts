/**
 * The application: thirty boxes that fall onto a floor. It says when it is shown, and when something has moved; then it has
 * another world in place of the first.
 */
import { createRoot, extend } from '@react-three/fiber';
import { Suspense, createElement } from 'react';
import { BoxGeometry, Mesh, MeshBasicMaterial, Object3D } from 'three';
import type { Components } from '../libraries.js';
import { rendererStub } from '../renderer-stub.js';

/** In ms, from the navigation; the second world from when it takes the place of the first. */
export interface FirstMotion {
  readonly shownMs: number;
  readonly movedMs: number;
  readonly secondMs: number;
}

declare global {
  /** Undefined until something in the second world has moved. */
  var firstMotion: FirstMotion | undefined;
}

const BOXES = 30;
const START_Y = 2;
/** After the first motion. */
const SECOND_MS = 1000;
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
  const render = (key: string): void => {
    const boxes = Array.from({ length: BOXES }, (_, index) =>
      createElement(
        RigidBody,
        {
          key: index,
          position: [(index % 6) * 2 - 5, START_Y + index / 4, 0],
          colliders: 'cuboid',
          children: undefined,
        },
        index === 0
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
      { key, gravity: [0, -9.81, 0], timeStep: 1 / 60, ...props, children: undefined },
      ground,
      ...boxes,
    );
    root.render(createElement(Suspense, { fallback: null }, physics));
  };
  let first: Pick<FirstMotion, 'shownMs' | 'movedMs'> | undefined;
  let startMs = 0;
  let shownMs: number | undefined;
  let fromY = 0;
  const onMoved = (): void => {
    const nowMs = performance.now();
    if (first !== undefined) {
      globalThis.firstMotion = { ...first, secondMs: nowMs - startMs };
      return;
    }
    first = { shownMs: shownMs as number, movedMs: nowMs };
    // Later, as after a click: the page has nothing else to do by then.
    setTimeout(() => {
      startMs = performance.now();
      shownMs = undefined;
      render('second');
    }, SECOND_MS);
  };
  const onRender = (): void => {
    if (box.parent === null || globalThis.firstMotion !== undefined) return;
    box.updateWorldMatrix(true, false);
    const y = box.matrixWorld.elements[13] as number;
    // Until the second world is there, the first one is drawn, in which it lies on the floor.
    const isFirst = startMs === 0 || (shownMs === undefined && y < START_Y - 0.1);
    if (first !== undefined && isFirst) return;
    if (shownMs === undefined) {
      shownMs = performance.now();
      fromY = y;
    } else if (y !== fromY) onMoved();
  };
  void root
    .configure({
      gl: rendererStub(canvas, onRender),
      size: { width: 640, height: 360, top: 0, left: 0 },
    })
    .then(() => render('first'));
}
