/** Whatever parents, bones and instances make of meshes: their shapes collide as three.js draws them. */
import fc from 'fast-check';
import * as THREE from 'three';
import { expect, inject, test } from 'vitest';
import { drawnBy } from '../../../src/three/drawn-geometry.js';
import {
  countOf,
  decomposed,
  isInstanced,
  matrixInScene,
  type Placement,
  placementsOf,
} from '../../../src/three/scene-space.js';
import { shapeOf, shapeOfDrawn, type ShapeKind } from '../../../src/three/shape-of.js';
import { fieldsOfCollider } from '../../../src/world/page/collider-desc.js';
import { scaled, type ShapeData } from '../../../src/world/shared/shape-data.js';
import { ORIGIN } from '../../../src/world/shared/setting-tables.js';
import { drawnPoints, POSED_MODELS } from '../../fixtures/posed-models.js';
import { present } from '../../fixtures/present.js';
import { shapeError } from '../../fixtures/shape-error.js';
import { expectBelow } from '../../fixtures/quick-checks.js';
import { createEngineForTest } from '../../fixtures/worlds.js';

const { Matrix4, Vector3 } = THREE;

const KINDS: readonly ShapeKind[] = ['cuboid', 'ball', 'hull', 'trimesh'];

/** Rays meet both sides of triangles, as they do those of a collider. */
const material = new THREE.MeshBasicMaterial({ side: THREE.DoubleSide });

type Triple = [x: number, y: number, z: number];

interface Transform {
  readonly position: Triple;
  readonly rotation: Triple;
  readonly scale: Triple;
}

/** An object below one of those before it. */
interface Node extends Transform {
  readonly parent: number;
  /** A group, a geometry, instances of one, or a model. */
  readonly kind: number;
  readonly instances: readonly Transform[];
}

const triples = (values: fc.Arbitrary<number>): fc.Arbitrary<Triple> =>
  fc.tuple(values, values, values);
const numbers = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const factors = fc.oneof(fc.constantFrom(1, -1), numbers(0.3, 3), numbers(-3, -0.3));
const evenly = factors.map((factor): Triple => [factor, factor, factor]);

const TRANSFORM = {
  position: triples(numbers(-5, 5)),
  rotation: triples(fc.oneof(fc.constantFrom(0, Math.PI / 2), numbers(-3, 3))),
  scale: fc.oneof(evenly, triples(factors)),
};

const MODELS = Object.values(POSED_MODELS);
const GEOMETRIES = [
  new THREE.BoxGeometry(1, 2, 0.5),
  new THREE.TorusGeometry(1, 0.3, 5, 7),
  new THREE.SphereGeometry(0.7, 7, 5).translate(1, 0, 0),
];

const trees = fc.array(
  fc.record<Node>({
    ...TRANSFORM,
    parent: fc.nat(20),
    kind: fc.nat(2 * GEOMETRIES.length + MODELS.length),
    instances: fc.array(fc.record<Transform>(TRANSFORM), { minLength: 1, maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 6 },
);

function place(object: THREE.Object3D, { position, rotation, scale }: Transform): THREE.Object3D {
  object.position.fromArray(position);
  object.rotation.fromArray(rotation);
  object.scale.fromArray(scale);
  return object;
}

function objectOf({ kind, instances }: Node): THREE.Object3D {
  const count = GEOMETRIES.length;
  if (kind >= 2 * count) return MODELS[kind - 2 * count]?.().root ?? new THREE.Group();
  const geometry = GEOMETRIES[kind % count] as THREE.BufferGeometry;
  if (kind < count) return new THREE.Mesh(geometry, material);
  const mesh = new THREE.InstancedMesh(geometry, material, instances.length);
  for (const [index, instance] of instances.entries()) {
    const object = place(new THREE.Object3D(), instance);
    object.updateMatrix();
    mesh.setMatrixAt(index, object.matrix);
  }
  return mesh;
}

function meshesOf(nodes: readonly Node[]): { scene: THREE.Scene; meshes: THREE.Mesh[] } {
  const scene = new THREE.Scene();
  const objects: THREE.Object3D[] = [scene];
  for (const node of nodes) {
    const object = objectOf(node);
    // Models keep their own transformation.
    const holder = place(new THREE.Group(), node).add(object);
    (objects[node.parent % objects.length] as THREE.Object3D).add(holder);
    objects.push(holder);
  }
  const meshes: THREE.Mesh[] = [];
  scene.traverse((object) => {
    if (!('isMesh' in object)) return;
    const mesh = object as THREE.Mesh;
    mesh.material = material;
    meshes.push(mesh);
  });
  return { scene, meshes };
}

/** Where three.js draws each of the instances of a mesh, or the mesh. */
function drawings(mesh: THREE.Mesh): THREE.Vector3[][] {
  const points = drawnPoints(mesh);
  if (!isInstanced(mesh)) return [points];
  const back = mesh.matrixWorld.clone().invert();
  return Array.from({ length: countOf(mesh) }, (_, index) => {
    const matrix = new Matrix4();
    mesh.getMatrixAt(index, matrix);
    matrix.premultiply(mesh.matrixWorld).multiply(back);
    return points.map((point) => point.clone().applyMatrix4(matrix));
  });
}

interface Placed {
  readonly shape: ShapeData;
  readonly position: THREE.Vector3;
  readonly rotation: THREE.Quaternion;
}

function placed(desc: ReturnType<typeof shapeOf>, { position, rotation }: Placement): Placed {
  const { shape, translation = ORIGIN } = fieldsOfCollider(desc);
  const offset = new Vector3().copy(translation).applyQuaternion(rotation);
  return { shape: present(shape), position: offset.add(position), rotation };
}

/** The shapes of the instances of a mesh, or of the mesh. */
const shapesOf = (mesh: THREE.Mesh, kind: ShapeKind): Placed[] =>
  placementsOf(mesh).map((placement) =>
    placed(shapeOfDrawn(mesh, drawnBy(mesh), kind, placement), placement),
  );

/** Rays to the middle of some triangles, from some way off, in the space of the scene. */
function raysTo(points: readonly THREE.Vector3[]): THREE.Ray[] {
  const rays: THREE.Ray[] = [];
  for (let at = 0; at + 2 < points.length; at += 3 * Math.ceil(points.length / 9)) {
    const middle = new Vector3();
    for (const corner of points.slice(at, at + 3)) middle.addScaledVector(corner, 1 / 3);
    const origin = new Vector3(20 - at, 30, 10 + at);
    rays.push(new THREE.Ray(origin, middle.sub(origin).normalize()));
  }
  return rays;
}

/** A ray that meets an edge, or a triangle at a flat angle, may meet it anywhere between those next to it. */
const NEXT_TO = [0, 1e-4, -1e-4] as const;

const isThorough = inject('isThorough') ?? false;

test('a cube below a scale that it is not turned like is a rhombus, which solids are around', () => {
  const parent = new THREE.Group();
  parent.scale.set(3, 1, 1);
  const cube = new THREE.Mesh(new THREE.BoxGeometry(), material);
  cube.rotation.z = Math.PI / 4;
  new THREE.Scene().add(parent.add(cube));
  const placement = () => decomposed(matrixInScene(cube));
  for (const kind of [...KINDS, undefined]) {
    const { shape, ...pose } = placed(shapeOf(cube, kind), placement());
    expect([kind, shapeError(shape, pose, drawnPoints(cube))]).toEqual([
      kind,
      expect.closeTo(0, 6),
    ]);
  }
  // Below a parent that is flat, it is flat itself.
  parent.scale.x = 0;
  expect(placement().scale.toArray()).toEqual([0, 0, 0]);
  expect(() => shapeOf(cube, 'hull')).toThrow('a scale other than 0');
});

test('meshes in any tree collide as they are drawn', { timeout: 600_000 }, async () => {
  const { rapier } = await createEngineForTest();
  const check = (nodes: readonly Node[]): void => {
    const { scene, meshes } = meshesOf(nodes);
    const world = new rapier.World(ORIGIN);
    try {
      const points: THREE.Vector3[] = [];
      for (const mesh of meshes) {
        const shapes = KINDS.map((kind) => shapesOf(mesh, kind));
        for (const [index, drawing] of drawings(mesh).entries()) {
          for (const ofKind of shapes) {
            const { shape, ...pose } = ofKind[index] as Placed;
            // Points far from the origin of a small mesh are rounded to floats.
            expectBelow(shapeError(shape, pose, drawing), 1e-3);
          }
          points.push(...drawing);
        }
        for (const { shape, position, rotation } of shapes.at(-1) ?? []) {
          const { vertices, indices, scale } = shape;
          const desc = rapier.ColliderDesc.trimesh(scaled(vertices, scale), indices);
          world.createCollider(
            desc.setTranslation(position.x, position.y, position.z).setRotation(rotation),
          );
        }
      }
      world.step();
      const caster = new THREE.Raycaster();
      for (const { origin, direction } of raysTo(points)) {
        const ray = new rapier.Ray(origin, direction);
        const hit = world.castRay(ray, 1e6, true)?.timeOfImpact ?? Infinity;
        const expected = NEXT_TO.map((turn) => {
          caster.set(origin, direction.clone().applyAxisAngle(new Vector3(0, 1, 0), turn));
          return caster.intersectObject(scene)[0]?.distance ?? Infinity;
        });
        const [nearest, farthest] = [Math.min(...expected), Math.max(...expected)];
        if (hit === nearest) continue;
        expectBelow(nearest / hit, 1 + 1e-3);
        if (farthest !== Infinity) expectBelow(hit / farthest, 1 + 1e-3);
      }
    } finally {
      world.free();
    }
  };
  fc.assert(fc.property(trees, check), { numRuns: isThorough ? 200 : 25 });
});
