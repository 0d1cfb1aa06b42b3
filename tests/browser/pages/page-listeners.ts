/** Counts the listeners of the window and the document, from when it is loaded. */
const listeners = new Map<string, Set<unknown>>();

/** How many there are. */
export const pageListeners = (): number =>
  [...listeners.values()].reduce((sum, { size }) => sum + size, 0);

for (const target of [globalThis as EventTarget, document]) {
  const add = target.addEventListener.bind(target);
  const remove = target.removeEventListener.bind(target);
  const of = (type: string): Set<unknown> => {
    const key = `${target.constructor.name} ${type}`;
    const found = listeners.get(key) ?? new Set();
    listeners.set(key, found);
    return found;
  };
  target.addEventListener = (type, listener, options) => {
    add(type, listener, options);
    of(type).add(listener);
    const signal = typeof options === 'object' ? options.signal : undefined;
    signal?.addEventListener('abort', () => of(type).delete(listener));
  };
  target.removeEventListener = (type, listener, options) => {
    remove(type, listener, options);
    of(type).delete(listener);
  };
}
