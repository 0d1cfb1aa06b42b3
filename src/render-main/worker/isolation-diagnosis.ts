/** Finds out why a page may not share memory. Only loaded by pages that need to know. */

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
