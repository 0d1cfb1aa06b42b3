/** Saved states as scenes for betwixt use them: promises, because its engine is not on the page. */
import { useRapier as useEngine, type RapierContext } from '@react-three/rapier';
import { useMemo } from 'react';

type World = RapierContext['world'] & {
  readonly ready: Promise<{ save(): Promise<Uint8Array> }>;
};

export function useRapier(): Omit<RapierContext, 'world' | 'setWorld'> & {
  readonly world: World;
  readonly setWorld: (saved: Uint8Array) => Promise<void>;
} {
  const context = useEngine();
  return useMemo(() => {
    const { rapier, setWorld, world } = context;
    const ready = Promise.resolve({ save: () => Promise.resolve(world.takeSnapshot()) });
    return {
      ...context,
      // A world of the engine, with one member more.
      world: Object.create(world, { ready: { value: ready } }) as World,
      setWorld: async (saved) => setWorld(rapier.World.restoreSnapshot(saved)),
    };
  }, [context]);
}
