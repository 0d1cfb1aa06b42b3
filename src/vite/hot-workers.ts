/**
 * Which workers a changed file belongs to, in Vite's graph of modules:
 *
 *     rules.ts ─▶ sim.ts ─▶ sim.worker.ts?worker_file       only a worker: it is replaced, and nothing reloads
 *     shared.ts ─▶ sim.worker.ts?worker_file
 *              └─▶ main.ts                                  also the page: left to Vite
 *     rules.ts ─▶ sim.ts, which accepts its changes         left to Vite, which replaces the module in the worker
 */

/** The part of Vite's modules that is used. */
export interface HotModule {
  readonly url: string;
  readonly importers: ReadonlySet<HotModule>;
  readonly acceptedHmrDeps: ReadonlySet<HotModule>;
  readonly isSelfAccepting?: boolean | undefined;
}

/** Vite marks the scripts of workers in their addresses. */
const IS_WORKER = /[?&]worker_file\b/;

/**
 * @param changed The modules of the file.
 * @returns The addresses of the worker scripts that have to be loaded again; none if the change is left to Vite.
 */
export function changedWorkers(changed: readonly HotModule[]): string[] {
  const isOfPage = [...rootsOf(changed, () => false)].some(({ url }) => !IS_WORKER.test(url));
  return isOfPage ? [] : Array.from(rootsOf(changed, isAccepted), ({ url }) => url);
}

/** Whether an importer, or a module by itself, replaces a changed module. */
const isAccepted = (module: HotModule, importer?: HotModule): boolean =>
  importer === undefined ? module.isSelfAccepting === true : importer.acceptedHmrDeps.has(module);

/** The modules that nothing imports, on all ways from some modules that do not end before. */
function rootsOf(modules: readonly HotModule[], isEnd: typeof isAccepted): Set<HotModule> {
  const roots = new Set<HotModule>();
  const seen = new Set<HotModule>();
  const walk = (module: HotModule): void => {
    if (seen.has(module) || isEnd(module)) return;
    seen.add(module);
    if (module.importers.size === 0) roots.add(module);
    for (const importer of module.importers) if (!isEnd(module, importer)) walk(importer);
  };
  for (const module of modules) walk(module);
  return roots;
}
