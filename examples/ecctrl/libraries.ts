/**
 * For Vite: an application on ecctrl and `@react-three/rapier` runs on `betwixt/react`, and with `?peer` on that library. All that
 * the application itself would need is this alias, which is for the whole build:
 *
 *     resolve: { alias: { '@react-three/rapier': 'betwixt/react', '@dimforge/rapier3d-compat': 'betwixt/world' } }
 *
 * The second name only saves a download: ecctrl reads one constant of that engine.
 */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const HERE = fileURLToPath(import.meta.url);
const OURS = /\/(examples\/ecctrl\/src|node_modules\/ecctrl)\//;
const ALIASES: Readonly<Record<string, string>> = {
  '@react-three/rapier': 'betwixt/react',
  '@dimforge/rapier3d-compat': 'betwixt/world',
};
const PEER = '?peer';

export function ecctrlLibraries(): Plugin {
  return {
    name: 'ecctrl-libraries',
    enforce: 'pre',
    // The development server would bundle it once, for both libraries.
    config: () => ({ optimizeDeps: { exclude: ['ecctrl'] } }),
    async resolveId(source, importer, options) {
      if (importer === undefined || !OURS.test(importer)) return undefined;
      if (!importer.endsWith(PEER)) {
        const alias = ALIASES[source];
        // From here, where the package can import itself.
        return alias === undefined ? undefined : this.resolve(alias, HERE, options);
      }
      // A module of the application or of ecctrl is another one there: it has other imports.
      const found = await this.resolve(source, importer.slice(0, -PEER.length), {
        ...options,
        skipSelf: true,
      });
      if (found === null || !OURS.test(found.id)) return found;
      return { ...found, id: `${found.id.split('?')[0]}${PEER}`, external: false };
    },
  };
}
