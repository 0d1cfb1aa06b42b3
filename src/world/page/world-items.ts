/** Creates and removes the items of a world, on the page and in the open batch. */
import type { Kind, KindFields } from '../shared/setting-tables.js';
import { makeHandle } from './make-handle.js';
import type { WorldItem } from './page-contents.js';
import type { Vehicle } from './vehicle.js';
import type { WorldLink } from './world-link.js';

/** @param parts What it is made of. */
export function createItem<K extends Kind>(
  link: WorldLink,
  kind: K,
  parts: readonly WorldItem[],
  fields: KindFields<K>,
): WorldItem {
  link.lastHandle += 1;
  const item = makeHandle(kind, link, { handle: link.lastHandle, fields, parts });
  const numbers = parts.map(({ handle }) => handle);
  link.contents.add(kind, item, numbers);
  link.change().create(kind, item.handle, numbers, fields);
  link.noteChange(item.handle);
  return item;
}

/**
 * Removes an item and what is made of it. One that was removed before is reported.
 *
 * @param wakeUp Whether it wakes the bodies that it was made of.
 * @throws TypeError unless it is of that kind. @throws Error if it is of another world.
 */
export function removeItem(link: WorldLink, kind: Kind, item: WorldItem, wakeUp = false): void {
  if (!link.isHere(kind, kind === 'multibodyJoint' ? 'joint' : kind, item)) {
    link.warnOfRemoved(kind, item);
    return;
  }
  link.running?.requireIdle();
  // Not reported after the end: the parts of an application end in any order.
  const open = link.batches.change();
  const removed = [item];
  const parts = link.contents.remove(item, (other, dependent) => {
    open.drop(other, dependent.handle);
    link.noteChange(dependent.handle);
    removed.push(dependent);
  });
  open.remove(kind, item.handle, parts);
  link.noteChange(item.handle);
  link.ids.delete(item.handle);
  if (wakeUp) for (const part of parts) link.bodyOf(part)?.wakeUp();
  // A vehicle's wheels go with it.
  for (const { wheels = [] } of removed as readonly Partial<Vehicle>[]) {
    for (const wheel of wheels) if (wheel.isValid()) removeItem(link, 'body', wheel);
  }
}
