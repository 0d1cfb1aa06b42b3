/**
 * For Vite: `@react-three/rapier?our-engine` is that library on the engine of this one. What then still differs is what the
 * library itself does.
 */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const PEER = '@react-three/rapier';
const QUERY = '?our-engine';
const HERE = fileURLToPath(import.meta.url);

export function peerOnOurEngine(): Plugin {
  return {
    name: 'peer-on-our-engine',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (source === '@dimforge/rapier3d-compat' && importer?.endsWith(QUERY) === true) {
        return this.resolve('@dimforge/rapier3d-simd-compat', HERE);
      }
      if (source !== `${PEER}${QUERY}`) return undefined;
      const found = await this.resolve(PEER, importer);
      // The package's other build requires the engine, which Vite does not see.
      return found && `${found.id.replace('.cjs.js', '.esm.js')}${QUERY}`;
    },
  };
}
