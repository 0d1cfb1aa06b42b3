/** Entry point for simulations that use the cannon-es engine: `betwixt/cannon`. */
export { CANNON_NAME, loadCannon, type Cannon } from './cannon-module.js';
export { CannonWorld } from './cannon-world.js';
