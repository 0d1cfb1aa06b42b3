import { Physics, RigidBody } from '../../../src/react/index.js';
import type { Components } from '../libraries.js';
import { startApp } from './app.js';

startApp({ Physics, RigidBody } as unknown as Components, { queries: false });
