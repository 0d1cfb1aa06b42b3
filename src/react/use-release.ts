/** When what a component has made of the world goes. */
import { useEffect, useInsertionEffect } from 'react';

/** What is given back, and may be asked for again in the same commit. */
interface Releasable {
  release(): void;
  /** Asks again for what was released. Only what is made in components of applications needs it. */
  renew?(): void;
}

/**
 * Releases it when the component is unmounted: in the commit itself, because what replaces it, such as a body with another
 * key, is made by layout effects of that commit, and the two may not meet in a tick. Passive effects come later. Those
 * release what is only hidden by `<Activity>`, and neither runs for what a `<Suspense>` hides.
 */
export function useRelease(thing: Releasable): void {
  useInsertionEffect(() => () => thing.release(), [thing]);
  useEffect(() => {
    // A hot reload of the component ends this effect after its layout effects have run again.
    thing.renew?.();
    return () => thing.release();
  }, [thing]);
}
