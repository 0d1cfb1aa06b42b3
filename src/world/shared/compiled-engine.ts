/**
 * The engine's WebAssembly as one thread has compiled it, for those that start later. In a build with Vite's plugin, the engine
 * starts from it and neither loads nor compiles its own: see `vite/world-files.ts`, which has the same name.
 */
const COMPILED = 'betwixt:compiled-engine';

/** Typed by the libraries of pages and of workers, but available in all of them. */
declare const WebAssembly: { readonly Module: abstract new (...args: never) => object };

/** Has engines of this thread that start from now on start from a module. Anything else is ignored. */
export function setCompiledEngine(module: unknown): void {
  if (module instanceof WebAssembly.Module) Reflect.set(globalThis, COMPILED, module);
}

/** Undefined until this thread was given a module. */
export const compiledEngine = (): object | undefined =>
  Reflect.get(globalThis, COMPILED) as object | undefined;
