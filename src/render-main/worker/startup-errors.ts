/**
 * Explains why there is no worker, or no shared memory, and what to do: all such messages are here. Loaded when one of the
 * two is missing.
 *
 * Browsers say little. A worker of another origin is a SecurityError, and a script that is missing, HTML, forbidden or
 * wrong is one event without a message. So the worker is created again and watched, and its script is fetched.
 */
import { WorkerFailedError } from '../../shared/util/errors.js';
import type { WorkerLike } from '../api/create-worker.js';

type Create = () => WorkerLike | Promise<WorkerLike>;

/** The name of the worker whose script is the library's own, as in create-world.ts: bundlers need a literal there. */
const OWN_WORKER = 'betwixt-world';

/** Findings about a worker's script that did not load. */
export interface FoundScript {
  /** Undefined if no worker was created while the function ran. */
  readonly address?: string;
  /** Whether it is the library's own. */
  readonly isOwn?: boolean;
  /** The directive of the page's policy that does not allow it. */
  readonly forbiddenBy?: string;
  /** The server's answer; undefined if it was not reached. */
  readonly answer?: Pick<Response, 'ok' | 'status' | 'headers'>;
  /** Whether the page is isolated. */
  readonly isIsolated?: boolean;
}

const OWN_SCRIPT =
  'It is the script of betwixt, which this bundler has not built: it does not handle new URL in packages. With Vite, add the ' +
  'plugin betwixt() of betwixt/vite. Otherwise, write a worker script of two lines, import { runWorld } from ' +
  "'betwixt/world/worker' and runWorld(), and pass the function that creates its worker: to createWorld as createWorker, to " +
  '<Physics> as worker. See node_modules/betwixt/docs/hosting.md#other-bundlers';

const YOUR_SCRIPT =
  'Bundlers find a script only if new URL is inside of new Worker. See node_modules/betwixt/docs/hosting.md#other-bundlers';

/** The wording of Chromium, Firefox and WebKit. */
const INVALID_URL = /construct 'URL'|URL constructor|parsed as a URL|Invalid URL/;
const OF_WORKER = /construct 'Worker'|may not load|is insecure/;

/** Explains what a function that creates a worker threw. Returns it unchanged if it says enough. */
export function failedToCreate(thrown: unknown): unknown {
  const why = whyRefused(thrown);
  return why === undefined ? thrown : new WorkerFailedError(why, 'load', thrown);
}

/** Undefined for an error of the function itself. */
function whyRefused(thrown: unknown): string | undefined {
  const { name = '', message = '' } = (thrown ?? {}) as Partial<Error>;
  if (typeof Worker === 'undefined') {
    if (!/\bWorker\b/.test(message)) return undefined;
    return (
      `there are no workers here (${message}). Simulate in this thread: createWorld and <Physics> do with the option ` +
      "transport: 'local', connect with runLocally of betwixt/local"
    );
  }
  if (name === 'TypeError' && INVALID_URL.test(message)) {
    return (
      `the worker's script has no valid address (${message}). If the bundler leaves import.meta.url empty, build ES modules, ` +
      'such as with --format=esm of esbuild'
    );
  }
  if (name !== 'SecurityError' || !OF_WORKER.test(message)) return undefined;
  if (/\bfile:/.test(message) && location.protocol !== 'file:') {
    return `the worker's script has the address of a file (${message}). ${OWN_SCRIPT}`;
  }
  if (globalThis.origin === 'null') {
    return (
      `this page is of no origin, so it may not create workers (${message}). In a sandboxed frame, add ` +
      `allow-same-origin; serve a page that was opened from a file over http. Or simulate in this thread, with transport: 'local'`
    );
  }
  return (
    `the worker's script is on another origin, and browsers refuse that (${message}). Create the worker from a file of ` +
    "this page's own origin that imports the script: import 'https://…'"
  );
}

/** Why a worker's script did not load. Never rejects. */
export async function whyNotLoaded(create: Create): Promise<string> {
  return describeScript(await findScript(create).catch(() => ({})));
}

/** The text for what was found. */
export function describeScript(found: FoundScript): string {
  const { address, isOwn = false, forbiddenBy, answer, isIsolated = false } = found;
  if (address === undefined) {
    return (
      'the worker script did not load, or is no JavaScript: check its address, its syntax, and on an isolated page that its ' +
      'response has the header Cross-Origin-Embedder-Policy: require-corp'
    );
  }
  if (forbiddenBy !== undefined) {
    return (
      `the content security policy of this page forbids the worker script (${address}): allow it in ${forbiddenBy}, ` +
      "such as with worker-src 'self'"
    );
  }
  if (answer === undefined) {
    return `the worker script (${address}) cannot be fetched: check the connection, the server, and redirections to other origins`;
  }
  if (answer.status === 403) {
    return (
      `the server refuses to send the worker script (${address}: status 403). In development, Vite sends no files from outside ` +
      `of its root: add ${isOwn ? 'the folder of the package betwixt' : 'their folder'} to server.fs.allow`
    );
  }
  const advice = isOwn ? OWN_SCRIPT : YOUR_SCRIPT;
  if (!answer.ok) {
    return `there is no worker script (${address}): the server answers ${answer.status}. ${advice}`;
  }
  const type = answer.headers.get('content-type') ?? 'no type';
  if (/\bhtml\b/.test(type)) {
    return `there is no worker script (${address}): the server answers with a page, as for addresses that it does not know. ${advice}`;
  }
  if (!/\b(?:java|ecma)script\b/.test(type)) {
    return `the worker script (${address}) is sent as ${type}: the server has to send scripts as text/javascript`;
  }
  if (isIsolated && answer.headers.get('cross-origin-embedder-policy') === null) {
    return (
      `the worker script (${address}) is sent without Cross-Origin-Embedder-Policy: require-corp: an isolated page needs ` +
      'this header of worker scripts, too'
    );
  }
  return (
    `the worker script (${address}) is there, and has a mistake in its syntax, or imports a file that does not load or is no ` +
    'JavaScript: see the network panel'
  );
}

/** How long the server may take to answer. */
const PATIENCE_MS = 5000;

async function findScript(create: Create): Promise<FoundScript> {
  let address: string | undefined;
  let isOwn = false;
  const violations: SecurityPolicyViolationEvent[] = [];
  const onViolation = (event: SecurityPolicyViolationEvent): void => void violations.push(event);
  addEventListener('securitypolicyviolation', onViolation);
  const { Worker: Actual } = globalThis;
  globalThis.Worker = class extends Actual {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      address = new URL(url, location.href).href;
      isOwn = options?.name === OWN_WORKER;
    }
  };
  try {
    // An asynchronous function is watched up to its first wait.
    let creating;
    try {
      creating = create();
    } finally {
      globalThis.Worker = Actual;
    }
    const worker = await creating;
    if (address === undefined) {
      worker.terminate();
      return {};
    }
    const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
      () => undefined,
    );
    worker.terminate();
    const forbiddenBy = violations.find(
      ({ blockedURI, disposition, effectiveDirective }) =>
        disposition === 'enforce' &&
        effectiveDirective !== 'connect-src' &&
        (address as string).startsWith(blockedURI),
    )?.effectiveDirective;
    return {
      address,
      isOwn,
      ...(forbiddenBy !== undefined && { forbiddenBy }),
      ...(answer !== undefined && { answer }),
      isIsolated: globalThis.crossOriginIsolated,
    };
  } finally {
    removeEventListener('securitypolicyviolation', onViolation);
  }
}

const NOT_ISOLATED =
  'This page is not cross-origin isolated, so states are sent as messages, ' +
  'with a coarser clock. To share memory, send Cross-Origin-Opener-Policy: same-origin and ' +
  'Cross-Origin-Embedder-Policy: require-corp with the page and the worker script.';
/** For a page that headers alone would not isolate. */
const NOT_SECURE =
  'This page was not loaded from a secure address (https, or localhost), so it cannot share memory: ' +
  'states are sent as messages instead.';
/** For a page whose headers are correct. */
const NO_SHARED_MEMORY =
  'This page is cross-origin isolated, but this browser does not provide SharedArrayBuffer: ' +
  'states are sent as messages instead.';

/** Why states are sent as messages. @param isIsolated Whether the page's headers allow shared memory. */
export function reasonToSend(isIsolated: boolean): string {
  if (isIsolated) return NO_SHARED_MEMORY;
  return globalThis.isSecureContext === false ? NOT_SECURE : NOT_ISOLATED;
}

const NEEDED_HEADERS = [
  { name: 'Cross-Origin-Opener-Policy', values: ['same-origin'] },
  { name: 'Cross-Origin-Embedder-Policy', values: ['require-corp', 'credentialless'] },
] as const;

/**
 * @param isIsolated Whether its headers allow it.
 * @returns A text that names the missing header and the response that lacks it, or another obstacle.
 */
export async function diagnose(isIsolated: boolean): Promise<string> {
  const consequence = 'so it cannot share memory with its worker';
  if (isIsolated) {
    return (
      `This page is cross-origin isolated, but this browser does not provide SharedArrayBuffer, ${consequence}. ` +
      'WebKitGTK gives it with JSC_useSharedArrayBuffer=1 in its environment. ' +
      "Leave out transport: 'shared' to send states as messages instead."
    );
  }
  if (!globalThis.isSecureContext) {
    return (
      `This page was not loaded from a secure address, ${consequence}: ` +
      'serve it over https, or from localhost.'
    );
  }
  const wanted = NEEDED_HEADERS.map((header) => `${header.name}: ${header.values[0]}`);
  const address = location.href.split(/[?#]/)[0] ?? location.href;
  let missing: string[];
  try {
    // Requests the page itself again: a document cannot read its own response headers.
    const response = await fetch(location.href, { method: 'HEAD', cache: 'no-store' });
    missing = NEEDED_HEADERS.filter((header) => {
      const value = response.headers.get(header.name)?.split(';')[0]?.trim();
      return !header.values.some((accepted) => accepted === value);
    }).map((header) => `${header.name}: ${header.values[0]}`);
  } catch {
    missing = wanted;
  }
  if (missing.length > 0) {
    return (
      `This page is not cross-origin isolated, ${consequence}. The response for ${address} lacks ` +
      `${missing.join(' and ')}. Send ${wanted.join(' and ')} with every page and worker script.`
    );
  }
  return (
    `This page is not cross-origin isolated, ${consequence}, though ${address} is sent with both ` +
    'headers: it may be inside a frame whose own page lacks them, or an old copy from a cache.'
  );
}
