/**
 * What `betwixt({ serviceWorker: true })` of `betwixt/vite` adds to every page: it registers the service worker that
 * sets the headers of cross-origin isolation, and loads the page once more so that they count. A visitor who has the
 * service worker of a release with another embedder policy gets that of this one in the same way. With
 * `serviceWorker: 'remove'` it takes the service worker away instead.
 *
 * A page whose host sends the headers is left alone. Where it does not work (no service workers, storage that is
 * blocked, a frame in another page) the page stays as it is, without isolation and without a word.
 */
(() => {
  /** In the session's storage: this tab has been loaded once more for this policy. It must not go on like that. */
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
    // A frame is isolated only with the page that it is in.
    if (!('serviceWorker' in navigator) || globalThis.self !== globalThis.top) return;
    const registration = await registered();
    const found = registration && newestOf(registration);
    // The application has a service worker of its own there, which registering would replace.
    if (found !== undefined && !isOurs(found)) return;
    if (isIsolated && (found === undefined || policyOf(found) === policy)) {
      // A reload that goes around the service worker may be followed by another reload.
      sessionStorage.removeItem(RELOADED);
      return;
    }
    if (sessionStorage.getItem(RELOADED) === policy) return;

    address.searchParams.set('embedder-policy', policy);
    await activated(await navigator.serviceWorker.register(address.href, { scope }));
    // Written before it reloads: without storage this throws, and nothing is loaded over and over.
    sessionStorage.setItem(RELOADED, policy);
    location.reload();
  }

  /** What is open stays as it is; the next visit gets what the host sends. */
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
   * Until the newest worker of a registration answers for its pages. `ready` would resolve with the one before it.
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
