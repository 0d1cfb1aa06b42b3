/**
 * Colliders whose pieces are not there yet. They are not sent, nor is what is new and goes with them, as if it were made later:
 *
 *     collider ──▶ its dynamic body ──▶ all that is made of it ──▶ dynamic bodies that are joined to it
 */
import { warnOnce } from '../../shared/util/development.js';
import { settled, type ShapeData } from '../shared/shape-data.js';
import type { BodyHandle } from './body-handle.js';
import type { ColliderHandle } from './collider-handle.js';
import { OpenBatch } from './open-batch.js';
import { kindOf, type WorldItem } from './page-contents.js';
import type { WorldLink } from './world-link.js';

export class PendingShapes {
  readonly #link: WorldLink;
  readonly #shapes = new Map<ColliderHandle, ShapeData>();

  constructor(link: WorldLink) {
    this.#link = link;
  }

  /** A collider gets a shape when that is ready. */
  add(collider: ColliderHandle, shape: ShapeData): void {
    const { batches } = this.#link;
    this.#shapes.set(collider, shape);
    batches.holdBack = (open) => this.#holdBack(open);
    shape.pieces?.ready.then(
      () => {
        const isExpected = this.#shapes.get(collider) === shape && !this.#link.isDisposed;
        if (isExpected && collider.isValid()) collider.replaceShape(settled(shape));
      },
      ({ message }: Error) => {
        const name = batches.names.nameOf('collider', collider.handle);
        warnOnce(message, `${name} waits, and so does its body: ${message}`);
      },
    );
  }

  /** A collider gets another shape, or none. */
  delete(collider: ColliderHandle): void {
    this.#shapes.delete(collider);
  }

  #holdBack(open: OpenBatch): OpenBatch | undefined {
    if (this.#shapes.size === 0) return undefined;
    const found = new Set<number>();
    const add = (item: WorldItem): void => {
      const kind = kindOf(item);
      // Bodies that do not move by themselves need not wait.
      if (kind === undefined || (kind === 'body' && !(item as BodyHandle).isDynamic())) return;
      if (found.has(item.handle) || !open.isNew(kind, item.handle)) return;
      found.add(item.handle);
      this.#link.contents.forEachAround(item, add);
    };
    for (const collider of this.#shapes.keys()) {
      if (collider.isValid()) add(collider);
      else this.delete(collider);
    }
    const held = new OpenBatch();
    open.moveTo(held, found);
    return held;
  }
}
