/** The page's choices, as the address bar has them. */
import { SCENES } from './scene-texts.js';

export const MODES = ['betwixt', 'rapier', 'both'] as const;
export type Mode = (typeof MODES)[number];

const FIRST = SCENES[0]?.name ?? '';

export interface Address {
  readonly name: string;
  readonly mode: Mode;
}

export function readAddress(search: string): Address {
  const parameters = new URLSearchParams(search);
  const mode = MODES.find((known) => known === parameters.get('library')) ?? 'betwixt';
  const name = parameters.get('scene') ?? '';
  return { name: SCENES.some((scene) => scene.name === name) ? name : FIRST, mode };
}

export const addressOf = ({ name, mode }: Address): string => `?scene=${name}&library=${mode}`;
