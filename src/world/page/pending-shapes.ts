/**
 * Colliders whose shapes have no pieces yet. What is new and goes with them is held back, as if it were made later:
 *
 *     collider ──▶ its dynamic body ──▶ all that is made of it ──▶ dynamic bodies that are joined to it
 */
import { warnOnce } from '../../shared/util/development.js';
import { KIND_NAMES } from '../shared/setting-tables.js';
import { settled, type ShapeData } from '../shared/shape-data.js';
import type { BodyHandle } from './body-handle.js';
import type { ColliderHandle } from './collider-handle.js';
import { kindOf, type WorldItem } from './page-contents.js';
import type { WorldLink } from './world-link.js';

export class PendingShapes {
  readonly #link: WorldLink;
  readonly #shapes = new Map<ColliderHandle, ShapeData>();

  constructor(link: WorldLink) {
    this.#link = link;
  }

  /** A collider gets its shape when that is ready. */
  add(collider: ColliderHandle, shape: ShapeData): void {
    this.#shapes.set(collider, shape);
    this.#hold(collider);
    shape.pieces?.ready.then(
      () => this.settle(),
      ({ message }: Error) => {
        if (this.#link.isDisposed) return;
        const name = this.#link.batches.names.nameOf('collider', collider.handle);
        warnOnce(message, `${name} waits, and so does its body: ${message}`);
      },
    );
  }

  /** A collider gets another shape. */
  delete(collider: ColliderHandle): void {
    if (this.#shapes.delete(collider)) this.settle();
  }

  /** Something was made. */
  noteNew(item: WorldItem): void {
    if (this.#shapes.size > 0 && this.#partsOf(item).some((part) => this.#isHeld(part))) {
      this.#hold(item);
    }
  }

  /** Holds back what still has to wait, and nothing else: a shape is ready, or something was removed. */
  settle(): void {
    const link = this.#link;
    if (this.#shapes.size === 0 || link.isDisposed) return;
    link.batches.change().release();
    for (const [collider, shape] of this.#shapes) {
      const found = settled(shape);
      if (found.pieces === undefined || !collider.isValid()) this.#shapes.delete(collider);
      if (found.pieces === undefined && collider.isValid()) collider.replaceShape(found);
    }
    for (const collider of this.#shapes.keys()) this.#hold(collider);
  }

  /** Bodies that do not move by themselves need not wait. */
  #hold(item: WorldItem): void {
    const { batches, contents } = this.#link;
    const kind = kindOf(item);
    if (kind === undefined || (kind === 'body' && !(item as BodyHandle).isDynamic())) return;
    if (!batches.change().hold(kind, item.handle)) return;
    for (const part of this.#partsOf(item)) this.#hold(part);
    for (const each of KIND_NAMES) {
      for (const dependent of contents.dependents(each, item)) this.#hold(dependent);
    }
  }

  #isHeld(item: WorldItem): boolean {
    const kind = kindOf(item);
    return kind !== undefined && this.#link.batches.change().isHeld(kind, item.handle);
  }

  #partsOf(item: WorldItem): readonly WorldItem[] {
    return this.#link.contents.partsOf(item);
  }
}
