import { useRapier } from 'betwixt/react';
import { useEffect } from 'react';

/** Within `<Physics>`: `{import.meta.env.DEV && <Inspect />}`. */
export function Inspect() {
  const { world } = useRapier();
  useEffect(() => {
    const shown = import('betwixt/inspector').then((module) => module.showInspector(world.ready));
    return () => void shown.then((inspector) => inspector.close());
  }, [world]);
  return null;
}
