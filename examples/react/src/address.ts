/** What the page shows, as the address bar has it. */
import { sceneNames } from './catalogue.js';

export const MODES = ['betwixt', 'rapier', 'both'] as const;
export type Mode = (typeof MODES)[number];

export interface Address {
  readonly name: string;
  readonly mode: Mode;
}

export function readAddress(search: string): Address {
  const parameters = new URLSearchParams(search);
  const mode = MODES.find((known) => known === parameters.get('library')) ?? 'betwixt';
  const name = parameters.get('scene') ?? '';
  return { name: sceneNames.includes(name) ? name : (sceneNames[0] ?? ''), mode };
}

export const addressOf = ({ name, mode }: Address): string => `?scene=${name}&library=${mode}`;
