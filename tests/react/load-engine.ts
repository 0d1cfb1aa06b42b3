/** Loads the page's engine, so that `<Physics>` does not suspend: a separate test does that. */
import { prepareEngine } from '../../src/world/page/create-world.js';

await prepareEngine();
