/** The prop `oneWay` of colliders, by the hooks that `@react-three/rapier` has because its engine is on the page. */
import {
  CuboidCollider as Plain,
  useBeforePhysicsStep,
  useFilterContactPair,
  useRapier,
  type CuboidColliderProps,
  type RapierCollider,
} from '@react-three/rapier';
import { useRef, useState, type ComponentProps, type JSX } from 'react';

/** How far a ball may have sunk into a platform that holds it, in m. */
const MARGIN = 0.1;

/** As much of `oneWay` as the scenes use: level platforms, and balls. */
export function CuboidCollider({
  oneWay,
  ...props
}: CuboidColliderProps & ComponentProps<typeof Plain> & { readonly oneWay?: object }): JSX.Element {
  const [collider, setCollider] = useState<RapierCollider | null>(null);
  if (oneWay === undefined) return <Plain {...props} />;
  return (
    <>
      <Plain {...props} ref={setCollider} />
      {collider !== null && <OneWay collider={collider} halfHeight={props.args[1]} />}
    </>
  );
}

function OneWay({
  collider,
  halfHeight,
}: {
  readonly collider: RapierCollider;
  readonly halfHeight: number;
}): null {
  const { rapier } = useRapier();
  // The lowest points of balls, by the handles of their bodies. A filter may not ask the engine for them.
  const bottoms = useRef(new Map<number, number>()).current;
  const top = useRef(0);
  useBeforePhysicsStep((world) => {
    collider.setActiveHooks(rapier.ActiveHooks.FILTER_CONTACT_PAIRS);
    top.current = collider.translation().y + halfHeight;
    world.forEachActiveRigidBody((body) => {
      bottoms.set(body.handle, body.translation().y - body.collider(0).radius());
    });
  });
  useFilterContactPair((collider1, collider2, body1, body2) => {
    const platform = collider.handle;
    if (collider1 !== platform && collider2 !== platform) return null;
    const bottom = bottoms.get(collider1 === platform ? body2 : body1) ?? Infinity;
    return bottom < top.current - MARGIN ? rapier.SolverFlags.EMPTY : null;
  });
  return null;
}
