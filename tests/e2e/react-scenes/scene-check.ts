/** What is checked of a scene of `examples/react.html`, besides that it moves on both libraries with a clean console. */
import type { Page } from '@playwright/test';
import type { LibraryName } from '../../../examples/react/src/catalogue.js';
import type { OpenedScene } from './opened-scene.js';

export interface SceneCheck {
  /** What it shows: the test's name. */
  readonly shows: string;
  /** On betwixt. */
  readonly check?: (scene: OpenedScene) => Promise<void>;
  /** Sees to it that the scene moves, for those that do not by themselves. */
  readonly move?: (page: Page, library: LibraryName) => Promise<void>;
  /** Whether it cannot run on `@react-three/rapier`. */
  readonly isOnlyBetwixt?: true;
}

/** By the names of scenes. */
export type SceneChecks = Readonly<Record<string, SceneCheck>>;
