/**
 * Physics by the names of nodes, which any modelling program can write. The suffixes are those of Godot's importer; `-pieces`
 * is ours.
 */
import type { Object3D } from 'three';
import type { ShapeKind } from '../shape-of.js';
import { checkMotion } from './gltf-fields.js';
import type { NodePhysics, Volume } from './gltf-file.js';

const KINDS: Readonly<Record<string, ShapeKind>> = {
  col: 'trimesh',
  convcol: 'hull',
  pieces: 'pieces',
};

const SUFFIX = '[-_$](col|convcol|colonly|convcolonly|pieces|rigid)';
/** Suffixes at the end. Modelling programs and the loader tell copies apart by numbers after them: `Wall-col.001`. */
const SUFFIXES = new RegExp(`${SUFFIX}(?=(${SUFFIX}|[\\s._\\d])*$)`, 'gi');

const RIGID = checkMotion('motion', {}, []);

export const withoutSuffixes = (name: string): string => name.replace(SUFFIXES, '');

export function physicsOfName(node: Object3D, name: string): NodePhysics {
  const suffixes = [...name.matchAll(SUFFIXES)].map(([, suffix = '']) => suffix.toLowerCase());
  const kind = suffixes
    .map((suffix) => KINDS[suffix.replace('only', '')])
    .find((found) => found !== undefined);
  const volume = (shape: ShapeKind, isWithChildren = false): Volume => {
    const geometry = { source: node, kind: shape, isWithChildren };
    return { geometry, collisionFilter: undefined, physicsMaterial: undefined };
  };
  return {
    ...(suffixes.includes('rigid') && { motion: RIGID, hull: volume('hull', true) }),
    ...(kind && { collider: volume(kind) }),
    isHidden: suffixes.some((suffix) => suffix.endsWith('only')),
  };
}
