/**
 * The engine's WebAssembly as one thread has compiled it, for those that start later. In a build with Vite's plugin, the engine
 * starts from it and neither loads nor compiles its own: see `vite/world-files.ts`, which has the same name.
 */
const COMPILED = 'betwixt:compiled-engine';

/** Has engines of this thread that start from now on start from a module. */
export function setCompiledEngine(module: unknown): void {
  if (module instanceof WebAssembly.Module) Reflect.set(globalThis, COMPILED, module);
}

/** Undefined until this thread was given a module. */
export const compiledEngine = (): WebAssembly.Module | undefined =>
  Reflect.get(globalThis, COMPILED) as WebAssembly.Module | undefined;
