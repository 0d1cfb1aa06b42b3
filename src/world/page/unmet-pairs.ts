/** Warns of colliders that pass through each other without the event that was asked for. */
import { warnOnce } from '../../shared/util/development.js';
import { UNMET_PAIR, type UnmetPair } from '../shared/world-batch.js';
import type { Collider } from './collider.js';
import type { WorldHandle } from './world-handle.js';

/** Once for each collider that has asked for events. @param world Which one, as warnings of others may have been shown. */
export function warnOfUnmet(
  handle: WorldHandle,
  world: number,
  colliderOf: (handle: number) => Collider | undefined,
): void {
  const reporting = handle as WorldHandle<{ readonly [UNMET_PAIR]: UnmetPair }>;
  reporting.on(
    UNMET_PAIR,
    ({ value: { colliders, types } }) => {
      const [one, other] = colliders.map((number) => colliderOf(number));
      if (one === undefined || other === undefined) return;
      const asked = other.activeEvents() === 0 ? one : other;
      warnOnce(
        `the unmet collider ${asked.handle} of world ${world}`,
        `${whatIs(one)} and ${whatIs(other)} pass through each other, and no event says so: by default, only pairs ` +
          'with a dynamic body meet. If that is not what you want, set activeCollisionTypes of one of them to ' +
          `ActiveCollisionTypes.DEFAULT | ActiveCollisionTypes.${types}: the prop of that name in React, otherwise ` +
          'setActiveCollisionTypes()',
      );
    },
    { when: 'now' },
  );
}

function whatIs(collider: Collider): string {
  const body = collider.parent();
  const kind = body?.isKinematic() === true ? 'kinematic' : 'fixed';
  const what = `the ${collider.isSensor() ? 'sensor' : 'collider'} ${collider.handle}`;
  return body === null ? what : `${what} of the ${kind} body ${body.handle}`;
}
