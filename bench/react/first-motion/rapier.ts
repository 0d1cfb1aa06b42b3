import { Physics, RigidBody } from '@react-three/rapier';
import type { Components } from '../libraries.js';
import { startApp } from './app.js';

startApp({ Physics, RigidBody } as unknown as Components);
