/**
 * Added to every page by `betwixt({ serviceWorker: true })` of `betwixt/vite`: it registers the service worker that
 * sets the headers of cross-origin isolation, and reloads the page so that they take effect. If a visitor has the
 * service worker of a release with another embedder policy, it is replaced in the same way. With
 * `serviceWorker: 'remove'` it removes the service worker instead.
 *
 * A page whose host sends the headers is left unchanged. If this does not work (no service workers, blocked storage, a
 * frame in another page), the page silently stays without isolation.
 */
(() => {
  /** In the session's storage: this tab has been reloaded for this policy and must not be reloaded again. */
  const RELOADED = 'betwixt-isolation-reloaded';
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement)) return;

  const address = new URL('betwixt-isolation-worker.js', script.src);
  const scope = new URL('.', address).href;
  const { embedderPolicy, remove } = script.dataset;
  const policy = embedderPolicy ?? 'require-corp';
  (remove === undefined ? isolate() : takeAway()).catch(() => {});

  async function isolate() {
    const isIsolated = globalThis.crossOriginIsolated;
    // A frame can only be isolated together with the page that contains it.
    if (!('serviceWorker' in navigator) || globalThis.self !== globalThis.top) return;
    const registration = await registered();
    const found = registration && newestOf(registration);
    // The application has its own service worker there, which registering would replace.
    if (found !== undefined && !isOurs(found)) return;
    if (isIsolated && (found === undefined || policyOf(found) === policy)) {
      // After a reload that bypasses the service worker, another reload is allowed.
      sessionStorage.removeItem(RELOADED);
      return;
    }
    if (sessionStorage.getItem(RELOADED) === policy) return;

    address.searchParams.set('embedder-policy', policy);
    await activated(await navigator.serviceWorker.register(address.href, { scope }));
    // Written before the reload: without storage this throws, which prevents a reload loop.
    sessionStorage.setItem(RELOADED, policy);
    location.reload();
  }

  /** Open pages stay as they are; the next visit gets what the host sends. */
  async function takeAway() {
    if (!('serviceWorker' in navigator)) return;
    const registration = await registered();
    const found = registration && newestOf(registration);
    if (found !== undefined && isOurs(found)) await registration?.unregister();
  }

  async function registered() {
    const registration = await navigator.serviceWorker.getRegistration(scope);
    return registration?.scope === scope ? registration : undefined;
  }

  /** @param {ServiceWorkerRegistration} registration */
  function newestOf({ installing, waiting, active }) {
    return installing ?? waiting ?? active ?? undefined;
  }

  /** @param {ServiceWorker} found */
  function isOurs(found) {
    return new URL(found.scriptURL).pathname === address.pathname;
  }

  /** @param {ServiceWorker} found */
  function policyOf(found) {
    return new URL(found.scriptURL).searchParams.get('embedder-policy');
  }

  /**
   * Resolves when the newest worker of a registration is active. `ready` would resolve with the previous one.
   *
   * @param {ServiceWorkerRegistration} registration
   * @returns {Promise<void>}
   */
  function activated(registration) {
    const newest = newestOf(registration);
    return new Promise((resolve, reject) => {
      const look = () => {
        if (newest?.state === 'activated') resolve();
        if (newest === undefined || newest.state === 'redundant')
          reject(new Error('not installed'));
      };
      newest?.addEventListener('statechange', look);
      look();
    });
  }
})();
