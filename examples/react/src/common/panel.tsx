/**
 * Buttons and text of a scene: HTML over the picture. A scene is no HTML, so the page renders what is in a panel: it gives
 * the scene a `PanelStore` by context, and renders `<Panels>` of the same store.
 */
import {
  createContext,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useSyncExternalStore,
  Fragment,
  type JSX,
  type ReactNode,
} from 'react';

export class PanelStore {
  readonly #listeners = new Set<() => void>();
  #contents: ReadonlyMap<string, ReactNode> = new Map();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly contents = (): ReadonlyMap<string, ReactNode> => this.#contents;

  set(id: string, content: ReactNode): void {
    this.#contents = new Map(this.#contents).set(id, content);
    this.#notify();
  }

  delete(id: string): void {
    const contents = new Map(this.#contents);
    contents.delete(id);
    this.#contents = contents;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

export const PanelContext = createContext(new PanelStore());

/** In a scene. */
export function Panel({ children }: { readonly children: ReactNode }): null {
  const store = useContext(PanelContext);
  const id = useId();
  useLayoutEffect(() => store.set(id, children), [store, id, children]);
  useEffect(() => () => store.delete(id), [store, id]);
  return null;
}

/** On the page. */
export function Panels({ store }: { readonly store: PanelStore }): JSX.Element {
  const contents = useSyncExternalStore(store.subscribe, store.contents);
  return (
    <>
      {[...contents].map(([id, content]) => (
        <Fragment key={id}>{content}</Fragment>
      ))}
    </>
  );
}
