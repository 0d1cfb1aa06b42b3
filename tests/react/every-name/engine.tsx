/** Enumerations that an application imports from the engine's own package. */
// oxlint-disable typescript/no-non-null-assertion -- The other package takes no ref that may be null.
import {
  ActiveCollisionTypes,
  ActiveEvents,
  ActiveHooks,
  CoefficientCombineRule,
  MotorModel,
  RigidBodyType,
} from '@dimforge/rapier3d-compat';
import { useEffect, useRef, type JSX } from 'react';
import {
  BallCollider,
  RigidBody,
  useRapier,
  useRevoluteJoint,
  type RapierCollider,
  type RapierRigidBody,
} from 'betwixt/react';

export const Bodies = (): JSX.Element => {
  const body = useRef<RapierRigidBody>(null!);
  const collider = useRef<RapierCollider>(null);
  const joint = useRevoluteJoint(body, body, [
    [0, 0, 0],
    [0, 0, 0],
    [0, 1, 0],
  ]);
  const { world } = useRapier();
  useEffect(() => {
    body.current.setBodyType(RigidBodyType.KinematicPositionBased, true);
    collider.current?.setActiveEvents(
      ActiveEvents.COLLISION_EVENTS | ActiveEvents.CONTACT_FORCE_EVENTS,
    );
    collider.current?.setActiveHooks(ActiveHooks.FILTER_CONTACT_PAIRS);
    collider.current?.setFrictionCombineRule(CoefficientCombineRule.Max);
    joint.current?.configureMotorModel(MotorModel.ForceBased);
    world.forEachRigidBody((one) => console.log(one.bodyType() === RigidBodyType.Dynamic));
  });
  return (
    <RigidBody
      ref={body}
      activeCollisionTypes={ActiveCollisionTypes.DEFAULT | ActiveCollisionTypes.KINEMATIC_FIXED}
      frictionCombineRule={CoefficientCombineRule.Max}
      restitutionCombineRule={CoefficientCombineRule.Min}
    >
      <BallCollider ref={collider} args={[1]} />
    </RigidBody>
  );
};
