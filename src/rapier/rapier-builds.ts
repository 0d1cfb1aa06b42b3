/// <reference lib="esnext.disposable" preserve="true" />
/** The WebAssembly builds of Rapier, and how they are started. */
import type { AnyRapier, AnyWorld } from './any-rapier.js';
import { startWatched } from './engine-memory.js';

/**
 * - `simd`: `@dimforge/rapier3d-simd-compat`. About twice as fast. The same result in every engine that was tried.
 * - `deterministic`: `@dimforge/rapier3d-deterministic-compat`. The same result on every machine and browser, bit for bit.
 * - `compat`: `@dimforge/rapier3d-compat`, which many applications have. Without SIMD, reproducible on machines of one kind.
 */
export type RapierBuild = 'simd' | 'deterministic' | 'compat';

/* oxlint-disable typescript/ban-ts-comment */
/** The module of each build. An application has one or two of the packages; there, the types of the others do not exist. */
interface Modules {
  /** @ts-ignore Its package may not be installed. */
  simd: typeof import('@dimforge/rapier3d-simd-compat');
  /** @ts-ignore Its package may not be installed. */
  deterministic: typeof import('@dimforge/rapier3d-deterministic-compat');
  /** @ts-ignore Its package may not be installed. */
  compat: typeof import('@dimforge/rapier3d-compat');
}
/* oxlint-enable typescript/ban-ts-comment */

/** The type of a build that is not installed: it has none of the engine's classes. */
export interface RapierNotInstalled<B extends RapierBuild> {
  /** The build. */
  readonly notInstalled: B;
}

/**
 * The module of a build if it is one of `B` and its package is installed, otherwise `Else`. A module that does not exist
 * has any name; TypeScript answers no other question about it.
 */
type ModuleOr<B extends RapierBuild, Name extends RapierBuild, Else> = Name extends B
  ? string extends keyof Modules[Name]
    ? Else
    : Modules[Name]
  : Else;

/**
 * The engine's module, as imported by `import * as`: of these builds, the first one whose package is installed, in the
 * order `simd`, `deterministic`, `compat`.
 *
 * @typeParam B The builds. Default: any, so that an application with one package has the types of that one.
 */
export type Rapier<B extends RapierBuild = RapierBuild> = ModuleOr<
  B,
  'simd',
  ModuleOr<B, 'deterministic', ModuleOr<B, 'compat', RapierNotInstalled<B>>>
>;

/** The worlds of a build, given by the type of its module. */
export type RapierWorldOf<R = Rapier> = R extends {
  readonly World: abstract new (...args: never) => infer W extends AnyWorld;
}
  ? W
  : AnyWorld;

const PACKAGES: Readonly<Record<RapierBuild, string>> = {
  simd: '@dimforge/rapier3d-simd-compat',
  deterministic: '@dimforge/rapier3d-deterministic-compat',
  compat: '@dimforge/rapier3d-compat',
};

/** In older versions, a restored world continues differently, and a frozen body no longer carries others. */
const OLDEST_MINOR = 20;

/**
 * Starts the WebAssembly of an engine.
 *
 * @param load Imports its module.
 * @throws Error if it cannot be loaded, for example because it is not installed, or if its version is older than 0.20.
 */
export async function startRapier<R extends AnyRapier>(
  build: RapierBuild,
  load: () => Promise<R>,
): Promise<R> {
  const rapier = await load().catch(failToLoad(build));
  await begin(rapier).catch(failToStart);
  const version = rapier.version();
  requireExact(build, version);
  names.set(rapier.World, `rapier3d-${build} ${version}`);
  return rapier;
}

function failToLoad(build: RapierBuild): (cause: unknown) => never {
  return (cause) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `the build "${build}" of Rapier cannot be loaded: ${why.replace(/\.$/, '')}. If it is not installed: npm install ${PACKAGES[build]}. ` +
        'If it is, look whether its file is on the server',
      { cause },
    );
  };
}

/** The policy of the page holds for the engine of the page, and that of the worker's script for the worker's. */
function failToStart(cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause);
  // In a build, it is a file. Browsers do not tell why they refuse to load one.
  if (/fetch|NetworkError|load failed/i.test(why)) {
    throw new Error(
      `the WebAssembly of the engine cannot be loaded: ${why.replace(/\.$/, '')}. Look whether its file, rapier-….wasm, is on the server. If the page ` +
        `has a content security policy, add 'self' to connect-src, in the response of the page and of the worker script`,
      { cause },
    );
  }
  if (!/\bCSP\b|security policy|unsafe-eval/i.test(why)) throw cause;
  throw new Error(
    `the content security policy forbids the engine, which is WebAssembly: add 'wasm-unsafe-eval' to script-src, in the ` +
      `response of the page and of the worker script. The browser says: ${why}`,
    { cause },
  );
}

/** The starts of engines: each is done when its engine runs. */
const begun = new WeakMap<object, Promise<unknown>>();

/**
 * Starts the WebAssembly of an engine, once. Two starts at a time would replace the first memory by the second, and
 * worlds of the first would use numbers of the other: several local simulations of a page share the module.
 */
function begin(rapier: AnyRapier): Promise<unknown> {
  const started = begun.get(rapier) ?? startWatched(rapier);
  begun.set(rapier, started);
  // A start that has failed may be tried again.
  started.catch(() => begun.delete(rapier));
  return started;
}

/** The second number of a version; infinite from 1.0 on. */
export function minorOf(version: string): number {
  const [major, minor] = version.split('.').map(Number);
  return major === 0 && minor !== undefined ? minor : Infinity;
}

/**
 * @throws Error for a version in which a restored world continues differently: seeking, rewinding and restarts of the
 *   worker would silently lead to other states.
 */
function requireExact(build: RapierBuild, version: string): void {
  if (minorOf(version) >= OLDEST_MINOR) return;
  const name = PACKAGES[build];
  throw new Error(
    `${name} ${version} is too old: a world that it restores continues differently, so seeking and restarts ` +
      `would change the run. Install version 0.${OLDEST_MINOR} or newer: npm install ${name}@latest`,
  );
}

/** Names of engines by the class of their worlds, so that a world's engine can be looked up. */
const names = new WeakMap<object, string>();

/**
 * Name, build and version of an engine that `loadRapier` loaded, such as `rapier3d-deterministic 0.21.0`. A saved
 * world can be restored only by the same engine. Empty if the engine was loaded in another way.
 */
export function engineName(rapier: { readonly World: object }): string {
  return names.get(rapier.World) ?? '';
}

/** The {@link engineName} of a world's engine. */
export function engineNameOf(world: object): string {
  return names.get(world.constructor) ?? '';
}
