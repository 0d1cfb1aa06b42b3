/**
 * Physics by the names of nodes, which any modelling program can write. The suffixes are those of Godot's importer; `-pieces`
 * is ours.
 */
import type { Object3D } from 'three';
import type { ShapeKind } from '../shape-of.js';
import { checkMotion } from './gltf-fields.js';
import type { NodePhysics } from './gltf-file.js';

const KINDS: Readonly<Record<string, ShapeKind>> = {
  col: 'trimesh',
  colonly: 'trimesh',
  convcol: 'hull',
  convcolonly: 'hull',
  pieces: 'pieces',
};

/** The last suffix, and the number with which modelling programs and the loader tell copies apart: `Wall-col.001`. */
const SUFFIX = /^(.*)[-_$](col|convcol|colonly|convcolonly|pieces|rigid)([\s._]*\d*)$/i;

const RIGID = checkMotion('motion', {}, []);

/** A name without its suffixes, and these in lower case. */
export function splitName(name: string): { readonly base: string; readonly suffixes: string[] } {
  const suffixes: string[] = [];
  let [base, number] = [name, ''];
  for (let match = SUFFIX.exec(base); match !== null; match = SUFFIX.exec(base)) {
    const [, before, suffix, after] = match as unknown as [string, string, string, string];
    suffixes.push(suffix.toLowerCase());
    [base, number] = [before, after + number];
  }
  return { base: base + number, suffixes };
}

/** Undefined for a name that says nothing about physics. */
export function physicsOfName(node: Object3D, name: string): NodePhysics | undefined {
  const { suffixes } = splitName(name);
  if (suffixes.length === 0) return undefined;
  const kind = suffixes.map((suffix) => KINDS[suffix]).find((found) => found !== undefined);
  const hull = { geometry: { source: node, kind: 'hull', isWithChildren: true } } as const;
  return {
    ...(suffixes.includes('rigid') && { motion: RIGID, hull }),
    ...(kind && { collider: { geometry: { source: node, kind } } }),
    isHidden: suffixes.some((suffix) => suffix.endsWith('only')),
  };
}
