/** A warning of poses that go nowhere. Loaded only in development. */
import { warnOnce } from '../../shared/util/development.js';
import type { BodyRegistry } from './body-registry.js';

/** Watches the bodies of a simulation that moves them itself: engines have separate warnings. */
export function watchPoses(bodies: BodyRegistry): void {
  const { setPose } = bodies;
  bodies.setPose = (id, ...pose) => {
    const isSet = setPose.call(bodies, id, ...pose);
    if (!isSet && !bodies.isAlive(id)) {
      warnOnce(
        'pose of none',
        `setPose was called with ${id}, in tick ${bodies.tick}, which is the id of no body now, so it does nothing and returns ` +
          'false. Forget the id of a body when you despawn it',
      );
    }
    return isSet;
  };
}
