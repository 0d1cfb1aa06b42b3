/** Warnings of scenes that do something else than they look like. */
import type { Object3D } from 'three';
import { warnOnce } from '../shared/util/development.js';

/** @param index Of an instance that has no key. */
export function warnOfMissingKey(index: number): void {
  warnOnce(
    'instances without a key',
    `instances[${index}] of <InstancedRigidBodies> has no key: give each one, so that its body remains its own when others ` +
      'come and go',
  );
}

/**
 * @param children Of an `<InstancedRigidBodies>`.
 * @param mesh The one that draws its instances.
 */
export function warnOfChildren(children: readonly Object3D[], mesh: Object3D | undefined): void {
  if (mesh !== undefined && children.length === 1) return;
  const found = children.map(({ type }) => `<${type[0]?.toLowerCase()}${type.slice(1)}>`);
  warnOnce(
    `the children of instances: ${found.join()}`,
    `<InstancedRigidBodies> needs exactly one child, an <instancedMesh>, but has ${found.join(', ') || 'none'}: ` +
      (mesh === undefined
        ? 'its bodies are simulated and not drawn'
        : 'the first one is used. Put the others outside, and each mesh into its own <InstancedRigidBodies>'),
  );
}

/** @param name Of the component of a collider. */
export function warnOfNoScale(name: string): void {
  warnOnce(
    `a scale of 0: ${name}`,
    `${name} has no collider now, because its scale in the scene is 0 along an axis: it gets one when that changes`,
  );
}

/** @param count Of ticks for which no callbacks were called, because too many came at once. */
export function warnOfMissedSteps(count: number): void {
  warnOnce(
    'missed steps',
    `useBeforePhysicsStep and useAfterPhysicsStep were not called for ${count} ticks, because one frame brought more than they ` +
      'are called for. Code that must run with every tick is a system: see useSystem. This is reported only the first time',
  );
}
