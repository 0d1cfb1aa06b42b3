/** Serves the page that measures. */
import { createServer } from 'vite';

export interface PeersServer {
  /** Of the page. */
  readonly address: string;
  close(): Promise<void>;
}

export interface ServedPage {
  /** Its file, from the root of the project. */
  readonly page: string;
  /** The modules that it loads, for Vite to find all packages before it is opened. */
  readonly entries: string[];
  readonly cacheDir: string;
}

export const startPeersServer = (): Promise<PeersServer> =>
  startProductionServer({
    page: 'bench/peers/page/peers.html',
    entries: ['bench/peers/{contestants,page}/**/*.ts'],
    cacheDir: 'node_modules/.vite-peers',
  });

/**
 * Like the project's own server, but with production builds of the peers (development builds of
 * React are slower), and with a separate cache.
 */
export async function startProductionServer({
  page,
  entries,
  cacheDir,
}: ServedPage): Promise<PeersServer> {
  // Vite takes the mode from here at the first request of a dependency.
  const { NODE_ENV: before } = process.env;
  process.env.NODE_ENV = 'production';
  const server = await createServer({
    mode: 'production',
    logLevel: 'error',
    cacheDir,
    // A page under measurement must not reload because a file was saved.
    server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
    optimizeDeps: { entries },
  });
  await server.listen();
  const [address = ''] = server.resolvedUrls?.local ?? [];
  return {
    address: `${address}${page}`,
    async close() {
      await server.close();
      if (before === undefined) delete process.env.NODE_ENV;
      else process.env.NODE_ENV = before;
    },
  };
}
