// Lets the thread that loads this file first import TypeScript. See `typescript-thread.ts`.
import { register } from 'tsx/esm/api';

register();
