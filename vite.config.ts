import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { ecctrlLibraries } from './examples/ecctrl/libraries.js';
import { peerScenes } from './examples/react/peer-scenes.js';
import { documents } from './scripts/site/documents.js';
import { exampleLinks } from './scripts/site/example-links.js';
import { siteHeader } from './scripts/site/header.js';
import { markOnPages } from './scripts/site/mark.js';
import { betwixt } from './src/vite/index.js';

const root = fileURLToPath(new URL('.', import.meta.url));

/** The packages of the rooms are installed apart, by the command that needs them. */
const hasRooms = existsSync(`${root}node_modules/@colyseus`);

const htmlIn = (folder: string): string[] =>
  readdirSync(`${root}${folder}`)
    .filter((name) => name.endsWith('.html'))
    .map((name) => `${folder}${name}`);

const foldersIn = (folder: string): string[] =>
  readdirSync(`${root}${folder}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}${name}/`);

/**
 * The demo, the benchmark, the lab, and the examples; and what the documentation shows: the apps that its guides begin with,
 * and its first snippets. Test pages are not built. `public` has the addresses that pages had before.
 */
const pages = [
  ...['', 'bench/', 'examples/', 'lab/'].flatMap(htmlIn),
  ...[...foldersIn('examples/'), ...foldersIn('templates/')].flatMap(htmlIn),
];

export default defineConfig({
  root,
  // Relative addresses: the built site works from any folder of any host.
  base: './',
  // Several pages, no router: an unknown address is a 404 and not the start page.
  appType: 'mpa',
  // A host that cannot send the headers, such as GitHub Pages, needs the service worker.
  plugins: [
    betwixt({ serviceWorker: process.env.BETWIXT_SERVICE_WORKER === 'true' }),
    documents(),
    markOnPages(),
    siteHeader(),
    exampleLinks(),
    peerScenes(),
    ecctrlLibraries(),
  ],
  // Workers are ES modules, in development and in the build alike.
  worker: { format: 'es' },
  resolve: {
    alias: {
      // The page of the rooms can be opened without what only their server needs, and says how to start that.
      ...(!hasRooms && { '@colyseus/sdk': `${root}examples/rooms/src/no-server.ts` }),
    },
  },
  server: {
    // Packages and templates are made there while a page is open, and their tsconfig files would have it reloaded.
    watch: { ignored: [`${root}build/**`] },
    // The first page that people open.
    warmup: {
      clientFiles: [
        'demo/page/main.ts',
        'demo/page/picture/picture.ts',
        'demo/simulation/sim.worker.ts',
      ],
    },
  },
  optimizeDeps: {
    // A search for dependencies would read all sources before it answers the first page, and bundle them for it.
    noDiscovery: true,
    // Browsers cannot load these as they are.
    include: [
      '@react-three/fiber',
      '@react-three/rapier',
      'react',
      'react-dom/client',
      'react/jsx-dev-runtime',
      'react/jsx-runtime',
      ...(hasRooms ? ['@colyseus/sdk'] : []),
    ],
    // One three.js for all pages, with these or without.
    exclude: ['three'],
  },
  build: {
    target: 'esnext',
    rolldownOptions: { input: pages },
    // In kB. Each build of Rapier is one module, WebAssembly as base64 text, the largest of 4.4 MB. Workers load one when
    // a scene asks for it, and so does the page itself for the transport `local`.
    chunkSizeWarningLimit: 5000,
  },
});
