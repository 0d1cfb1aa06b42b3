/**
 * The service worker that `betwixt({ serviceWorker: true })` of `betwixt/vite` adds to a site whose host cannot send
 * headers. It fetches every file of the site as usual and adds the headers of cross-origin isolation to the response.
 * It caches nothing, so a site behind it is never out of date.
 */

/** The file is type-checked as a module, where the global scope is any worker's. */
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (globalThis));

const policy = new URL(worker.location.href).searchParams.get('embedder-policy') ?? 'require-corp';

/** Responses with these statuses must not have a body and cannot be reconstructed. */
const WITHOUT_BODY = new Set([101, 103, 204, 205, 304]);

// The page waits for it, and a new release replaces an old one immediately: nothing is cached that could be mixed up.
worker.addEventListener('install', () => void worker.skipWaiting());

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  // Files of other origins specify for themselves who may use them.
  if (new URL(request.url).origin !== worker.location.origin) return;
  // Chromium's developer tools send such requests, which `fetch` refuses.
  if (request.cache === 'only-if-cached' && request.mode !== 'same-origin') return;
  event.respondWith(fetchIsolated(request));
});

/**
 * @param {Request} request
 * @returns {Promise<Response>}
 */
async function fetchIsolated(request) {
  const response = await fetch(request);
  // Status 0: a redirect, which the browser follows, or an opaque response.
  if (response.status === 0 || WITHOUT_BODY.has(response.status)) return response;
  const headers = new Headers(response.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', policy);
  headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}
