/** Draws instances with an InstancedMesh: instance i is row i. */
import { Matrix4, Quaternion, Vector3, type InstancedMesh } from 'three';
import { warnOnce } from '../shared/util/development.js';
import type { BodyId } from '../shared/memory/body-meta.js';
import type { OrderedBodies } from '../three/index.js';
import type { InstanceBody } from './instance-body.js';
import { Kept } from './kept.js';
import type { PhysicsScope } from './physics-scope.js';

const MATRIX_NUMBERS = 16;
const matrix = new Matrix4();
const position = new Vector3();
const rotation = new Quaternion();
const scale = new Vector3();

/** A mesh while bodies are drawn with it. */
interface Drawn {
  readonly mesh: InstancedMesh;
  readonly bodies: OrderedBodies;
  end(): void;
  isValid(): boolean;
}

export class InstanceDrawing {
  readonly #scope: PhysicsScope;
  readonly #kept: Kept<Drawn>;
  /** Of the rows that the mesh has room for. */
  readonly #ids: (BodyId | undefined)[] = [];
  /** Which instances were drawn last, and with which mesh. */
  #rows: readonly InstanceBody[] = [];
  #mesh: InstancedMesh | undefined;

  constructor(scope: PhysicsScope) {
    this.#scope = scope;
    this.#kept = new Kept(scope.keeper, (drawn) => drawn.end());
  }

  /**
   * Draws instances in this order from now on.
   *
   * @param isChanged Whether what is known of an instance has changed since the last call.
   */
  arrange(
    mesh: InstancedMesh,
    rows: readonly InstanceBody[],
    isChanged: (row: InstanceBody) => boolean,
  ): void {
    const capacity = mesh.instanceMatrix.count;
    if (rows.length > capacity) warnOfCapacity(mesh, rows.length);
    const drawn = rows.slice(0, capacity);
    const before = mesh === this.#mesh ? this.#rows : [];
    const scales = new Float32Array(drawn.length * 3);
    this.#ids.length = drawn.length;
    for (const [index, row] of drawn.entries()) {
      this.#ids[index] = row.id;
      scale
        .copy(row.scale)
        .multiply(mesh.scale)
        .toArray(scales, index * 3);
      // Others are drawn by the next frame, which is before they are seen.
      if (row !== before[index] || isChanged(row)) write(mesh, index, row, scale);
    }
    const end = mesh === this.#mesh ? before.length : capacity;
    mesh.instanceMatrix.array.fill(0, MATRIX_NUMBERS * drawn.length, MATRIX_NUMBERS * end);
    mesh.instanceMatrix.needsUpdate = true;
    this.#require(mesh).bodies.scales = scales;
    this.#rows = drawn;
    this.#mesh = mesh;
  }

  /** The body of an instance got another number. */
  show({ index, id }: InstanceBody): void {
    if (index >= 0 && index < this.#ids.length) this.#ids[index] = id;
  }

  /** There is no mesh. */
  remove(): void {
    this.#kept.remove();
    this.#mesh = undefined;
  }

  release(): void {
    this.#kept.release();
  }

  #require(mesh: InstancedMesh): Drawn {
    const { binding } = this.#scope;
    return this.#kept.require([binding, mesh], () => ({
      mesh,
      // What does not move has no number, and a body that is replaced has none for a moment.
      bodies: binding.instancesInOrder(mesh, this.#ids, undefined, { keepOthers: true }),
      end: () => binding.detach(mesh),
      isValid: () => true,
    }));
  }
}

/** Where its body is. */
function write(mesh: InstancedMesh, index: number, row: InstanceBody, size: Vector3): void {
  const { current } = row;
  if (current === undefined) return;
  position.copy(current.translation());
  rotation.copy(current.rotation());
  mesh.setMatrixAt(index, matrix.compose(position, rotation, size));
}

function warnOfCapacity({ name, instanceMatrix }: InstancedMesh, count: number): void {
  warnOnce(
    `the instances of ${name}`,
    `<InstancedRigidBodies> has ${count} instances, but its InstancedMesh${name && ` "${name}"`} was made for ` +
      `${instanceMatrix.count}: the others are simulated and not drawn. Give args={[geometry, material, most]} a larger ` +
      'number, and count={instances.length} to draw fewer',
  );
}
