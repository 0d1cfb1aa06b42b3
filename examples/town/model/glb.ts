/** Writes a model as a GLB file, with the physics of `KHR_physics_rigid_bodies` and `KHR_implicit_shapes`. */
import type * as THREE from 'three';
import { GLTFExporter, type GLTFWriter } from 'three/addons/exporters/GLTFExporter.js';

/** One of `KHR_implicit_shapes`. */
export type ImplicitShape =
  | { readonly type: 'box'; readonly box: { readonly size: readonly number[] } }
  | { readonly type: 'sphere'; readonly sphere: { readonly radius: number } }
  | {
      readonly type: 'cylinder';
      readonly cylinder: {
        readonly height: number;
        readonly radiusTop: number;
        readonly radiusBottom: number;
      };
    };

export const boxOf = (...size: readonly number[]): ImplicitShape => ({
  type: 'box',
  box: { size },
});

/** One of the file's joints, materials or filters, which the extension has in lists. */
type Listed = Readonly<Record<string, unknown>>;

/** The physics of a node. Nodes, shapes, joints, materials and filters are objects here, and numbers in the file. */
export interface NodePhysics {
  readonly motion?: Listed;
  readonly collider?: { readonly shape: ImplicitShape; readonly physicsMaterial?: Listed };
  readonly trigger?: { readonly shape: ImplicitShape };
  readonly joint?: { readonly joint: Listed; readonly connectedNode: THREE.Object3D };
}

const RIGID_BODIES = 'KHR_physics_rigid_bodies';
const SHAPES = 'KHR_implicit_shapes';

/** The type of numbers in accessors. */
const FLOAT = 5126;

/** A list of the file, without doubles. */
class List<T> {
  readonly items: T[] = [];

  /** Where in the list something is. */
  at(item: T): number {
    const index = this.items.indexOf(item);
    return index < 0 ? this.items.push(item) - 1 : index;
  }
}

interface GltfNode {
  extensions?: Record<string, unknown>;
  translation?: number[];
  rotation?: number[];
  scale?: number[];
}

/** The exporter's own type lacks what its plugins get. */
interface Writer {
  readonly json: {
    readonly nodes: readonly GltfNode[];
    readonly accessors: readonly { componentType: number; min?: number[]; max?: number[] }[];
    extensions?: object;
  };
  readonly nodeMap: ReadonlyMap<THREE.Object3D, number>;
  readonly extensionsUsed: Record<string, boolean>;
}

const physicsWriter =
  (physics: ReadonlyMap<THREE.Object3D, NodePhysics>) => (given: GLTFWriter) => ({
    afterParse(): void {
      const { json, nodeMap, extensionsUsed } = given as unknown as Writer;
      const shapes = new List<ImplicitShape>();
      const materials = new List<Listed>();
      const joints = new List<Listed>();
      const geometryOf = (shape: ImplicitShape) => ({ geometry: { shape: shapes.at(shape) } });
      for (const [object, { motion, collider, trigger, joint }] of physics) {
        const node = json.nodes[nodeMap.get(object) ?? -1];
        if (node === undefined) throw new Error(`${object.name} is not in the file.`);
        const { physicsMaterial } = collider ?? {};
        (node.extensions ??= {})[RIGID_BODIES] = {
          motion,
          collider: collider && {
            ...geometryOf(collider.shape),
            physicsMaterial: physicsMaterial && materials.at(physicsMaterial),
          },
          trigger: trigger && geometryOf(trigger.shape),
          joint: joint && {
            joint: joints.at(joint.joint),
            connectedNode: nodeMap.get(joint.connectedNode),
          },
        };
      }
      // Without digits that make no difference, and in which versions of Node may differ.
      for (const node of json.nodes) {
        for (const name of ['translation', 'rotation', 'scale'] as const) {
          const rounded = node[name]?.map((value) => Math.round(value * 1e5) / 1e5);
          if (rounded !== undefined) node[name] = rounded;
        }
      }
      // The format asks for the ranges of positions and times only.
      for (const accessor of json.accessors) {
        if (accessor.componentType === FLOAT) {
          // As many digits as their 32 bits have.
          for (const range of [accessor.min, accessor.max]) {
            for (const [index, value] of range?.entries() ?? []) {
              (range as number[])[index] = Number(value.toPrecision(9));
            }
          }
        } else {
          delete accessor.min;
          delete accessor.max;
        }
      }
      json.extensions = {
        [SHAPES]: { shapes: shapes.items },
        [RIGID_BODIES]: { physicsMaterials: materials.items, physicsJoints: joints.items },
      };
      for (const name of [SHAPES, RIGID_BODIES]) extensionsUsed[name] = true;
    },
  });

/** The exporter reads its own blobs with the browser's class. */
class FileReaderOfNode {
  result: ArrayBuffer | undefined;
  onloadend: (() => void) | undefined;

  readAsArrayBuffer(blob: Blob): void {
    void blob.arrayBuffer().then((bytes) => {
      this.result = bytes;
      this.onloadend?.();
    });
  }
}

/** @returns The bytes of the file. */
export async function writeGlb(
  scene: THREE.Scene,
  animations: THREE.AnimationClip[],
  physics: ReadonlyMap<THREE.Object3D, NodePhysics>,
): Promise<Uint8Array> {
  const { FileReader } = globalThis;
  Object.assign(globalThis, { FileReader: FileReaderOfNode });
  try {
    const exporter = new GLTFExporter().register(physicsWriter(physics));
    const glb = await exporter.parseAsync(scene, { binary: true, animations, trs: true });
    return new Uint8Array(glb as ArrayBuffer);
  } finally {
    Object.assign(globalThis, { FileReader });
  }
}
