/** The scenes and the two libraries that run them. Each is loaded when it is first asked for. */
import type { Scene } from './scene.js';

export type LibraryName = 'betwixt' | 'rapier';
/** The names of a library that the page needs: both have them. */
export type Library = Pick<typeof import('betwixt/react'), 'Physics' | 'useRapier'>;

type SceneFiles = Record<string, () => Promise<{ readonly scene: Scene }>>;

const files: Readonly<Record<LibraryName, SceneFiles>> = {
  betwixt: import.meta.glob<{ readonly scene: Scene }>('./scenes/*.{tsx,jsx}'),
  rapier: import.meta.glob<{ readonly scene: Scene }>(
    ['./scenes/*.{tsx,jsx}', '!./scenes/town.tsx'],
    { query: '?peer' },
  ),
};

/** Promises that a component waits for must stay the same from render to render. */
function once<T>(load: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const loaded = new Map<string, Promise<T>>();
  return (key) => {
    const promise = loaded.get(key) ?? load(key);
    loaded.set(key, promise);
    return promise;
  };
}

const scenes = once(async (key) => {
  const [library, name] = key.split('/') as [LibraryName, string];
  const load = files[library][`./scenes/${name}.tsx`] ?? files[library][`./scenes/${name}.jsx`];
  if (load === undefined) throw new RangeError(`There is no scene "${name}"`);
  return (await load()).scene;
});

export const loadScene = (library: LibraryName, name: string): Promise<Scene> =>
  scenes(`${library}/${name}`);

export const loadLibrary = once(async (name): Promise<Library> => {
  if (name === 'betwixt') return import('betwixt/react');
  // The peer's types name the engine's own classes, where those of betwixt are handles.
  return (await import('@react-three/rapier')) as unknown as Library;
});
