/**
 * For Vite: `./scenes/NAME.tsx?peer`, or `.jsx`, is the same source with another import, so that a scene runs on either library without a
 * second file.
 */
import type { Plugin } from 'vite';

const SCENE = /\/examples\/react\/src\/scenes\/[^/]+\.[tj]sx\?peer$/;

const SMALL_APP = /\/tests\/react\/small-apps\/[^/]+\.[tj]sx\?peer$/;

export function peerScenes(): Plugin {
  return {
    name: 'peer-scenes',
    // Before TypeScript and JSX are compiled, which would change the quotes.
    enforce: 'pre',
    transform: {
      filter: { id: [SCENE, SMALL_APP] },
      handler: (code, id) => ({
        code: code
          .replaceAll(
            "'betwixt/react'",
            SCENE.test(id) ? "'../peer/index.js'" : "'@react-three/rapier'",
          )
          // Rays without a length find nothing in the engine of that library. They did when tutorials were written.
          .replaceAll('castRay(ray, undefined', 'castRay(ray, Infinity'),
        map: null,
      }),
    },
  };
}
