/** Characters: `useCharacter`. */
import { naming } from './errors.js';
import { useMemo, type RefObject } from 'react';
import type { CharacterFields } from '../world/shared/setting-tables.js';
import {
  CharacterDesc,
  type Character,
  type Collider,
  type RigidBody,
} from '../world/page/index.js';
import { fieldsOfCharacter, type CharacterHandle } from '../world/page/character.js';
import { requireRef, useDependentItem, type ItemRef } from './dependent-item.js';
import type { BodyRef, RapierCollider } from './types.js';

/** A ref of a body or of a collider. */
export type CharacterRef =
  | BodyRef
  | RefObject<RapierCollider | null>
  | RefObject<RapierCollider>
  | RefObject<RigidBody | RapierCollider | null>;

const STANDARD = new CharacterDesc();

/**
 * Makes a character of a body: it walks, climbs slopes and steps, jumps, and is carried along by kinematic ground. It is
 * moved in the worker, with every tick: `move` holds until the next call.
 *
 *     const body = useRef<RapierRigidBody>(null);
 *     const character = useCharacter(body, new CharacterDesc().enableAutostep(0.3, 0.1, false));
 *     // <RigidBody ref={body} type="kinematicPosition" colliders={false}><CapsuleCollider args={[0.3, 0.2]} /></RigidBody>
 *     // In a handler: character.current?.move({ x: 1, y: 0, z: 0 });
 *
 * @param target A kinematic body that is moved by positions, of which the first collider walks; or such a collider. The
 *   character is made when it is there.
 * @param desc It may be made in each render: an equal one changes nothing, and other values are set. Default:
 *   `new CharacterDesc()`.
 * @returns A ref of the character. Null while there is none.
 * @throws Error outside of `<Physics>`, and for a body that is not kinematic.
 * @throws TypeError for an invalid description.
 * @throws RangeError if no numbers are left that it can publish: see `World.createCharacter`.
 */
export function useCharacter(
  target: CharacterRef,
  desc: CharacterDesc = STANDARD,
): RefObject<Character | null> {
  const settings = useMemo(() => naming('useCharacter', () => fieldsOfCharacter(desc)), [desc]);
  return useDependentItem<Character, null>('useCharacter', null, {
    dependencies: [colliderOf(target)],
    // A setting that is missing in the next description has no value that could be set.
    key: [Object.keys(settings).toSorted().join()],
    settings: settings as Record<string, unknown>,
    make: (world, [collider]) => world.createCharacter(collider as Collider, desc),
    remove: (world, character) => world.removeCharacter(character),
    change: (character, changed) =>
      (character as CharacterHandle).assign(changed as CharacterFields),
  });
}

/** The collider, or the first one of a body, which may come later. */
const colliderOf = (target: CharacterRef): ItemRef => ({
  get current() {
    const { current } = requireRef(target);
    if (current === null || !('numColliders' in current)) return current;
    return current.isValid() ? current.collider(0) : undefined;
  },
});
