/** How components find the body that they are in. */
import { createContext } from 'react';
import type { BodyOwner } from './body-owner.js';

/** The body that colliders belong to. */
export const BodyContext = createContext<BodyOwner | undefined>(undefined);
