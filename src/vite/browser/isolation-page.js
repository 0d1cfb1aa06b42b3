/**
 * What `betwixt({ serviceWorker: true })` of `betwixt/vite` adds to every page: it registers the service worker that
 * sets the headers of cross-origin isolation, and loads the page once more so that they count.
 *
 * A page whose host sends the headers is left alone. Where it does not work (no service workers, storage that is
 * blocked, a frame in another page) the page stays as it is, without isolation and without a word.
 */
(() => {
  /** In the session's storage: this tab has been loaded once more already. It must not go on like that. */
  const RELOADED = 'betwixt-isolation-reloaded';
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement)) return;

  isolate(script).catch(() => {});

  /** @param {HTMLScriptElement} ownScript */
  async function isolate(ownScript) {
    if (globalThis.crossOriginIsolated) {
      // A reload that goes around the service worker may be followed by another reload.
      sessionStorage.removeItem(RELOADED);
      return;
    }
    // A frame is isolated only with the page that it is in.
    if (globalThis.self !== globalThis.top || !('serviceWorker' in navigator)) return;
    if (sessionStorage.getItem(RELOADED) !== null) return;

    const address = new URL('betwixt-isolation-worker.js', ownScript.src);
    const scope = new URL('.', address).href;
    if (await isTaken(scope, address.pathname)) return;
    address.searchParams.set('embedder-policy', ownScript.dataset.embedderPolicy ?? 'require-corp');
    await navigator.serviceWorker.register(address.href, { scope });
    await navigator.serviceWorker.ready;
    // Written before it reloads: without storage this throws, and nothing is loaded over and over.
    sessionStorage.setItem(RELOADED, '1');
    location.reload();
  }

  /**
   * The application has a service worker of its own there, which registering would replace.
   *
   * @param {string} scope
   * @param {string} ownPath
   */
  async function isTaken(scope, ownPath) {
    const registration = await navigator.serviceWorker.getRegistration(scope);
    if (registration === undefined || registration.scope !== scope) return false;
    const found = registration.active ?? registration.waiting ?? registration.installing;
    return found !== null && new URL(found.scriptURL).pathname !== ownPath;
  }
})();
