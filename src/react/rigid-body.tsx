/** `<RigidBody>`. */
import {
  memo,
  useInsertionEffect,
  useLayoutEffect,
  useRef,
  useState,
  type JSX,
  type ReactNode,
  type Ref,
} from 'react';
import type { EventHandlers, ThreeElements } from '@react-three/fiber';
import type { Object3D } from 'three';
import { isDevelopment } from '../shared/util/development.js';
import { checkProps } from './check-props.js';
import { OWNER_PROPERTY } from './body-owner.js';
import { ObjectBody } from './object-body.js';
import { useLateErrors } from './named-errors.js';
import { objectProps } from './object-props.js';
import { BodyContext } from './body-context.js';
import { usePhysics } from './physics-context.js';
import type { BodyRef, RapierRigidBody, RigidBodyOptions } from './types.js';
import { useRelease } from './use-release.js';
import { IgnoredBody } from './ignored-body.js';
import { requireList } from '../shared/util/validate.js';

/**
 * What fiber takes for an object of three.js, such as `visible` and `onClick`. Without its methods, and without `parent`, `id`
 * and what else it finds itself: applications may give their own props such names.
 */
type ObjectProps = Pick<
  ThreeElements['object3D'],
  | keyof EventHandlers
  | 'animations'
  | 'attach'
  | 'castShadow'
  | 'customDepthMaterial'
  | 'customDistanceMaterial'
  | 'dispose'
  | 'frustumCulled'
  | 'layers'
  | 'matrixAutoUpdate'
  | 'matrixWorldAutoUpdate'
  | 'onAfterRender'
  | 'onAfterShadow'
  | 'onBeforeRender'
  | 'onBeforeShadow'
  | 'onUpdate'
  | 'raycast'
  | 'receiveShadow'
  | 'renderOrder'
  | 'up'
  | 'visible'
>;

/** Props of {@link RigidBody}: those of a body, of its colliders, and of an object of three.js, such as `visible`. */
export interface RigidBodyProps extends RigidBodyOptions, ObjectProps {
  /** Meshes, colliders, and what else moves with the body. */
  children?: ReactNode;
  /**
   * Refs of bodies that it passes through: they have no contacts, and sensors of one do not notice the other. It is
   * enough that one of two names the other. Default: none.
   */
  ignores?: readonly BodyRef[] | undefined;
  /** The body. */
  ref?: Ref<RapierRigidBody> | undefined;
}

/**
 * A body, whose object is moved by the simulation. The meshes in it get colliders of what is drawn of them, by the prop
 * `colliders` of it or of `<Physics>`, and these follow when that changes; components of colliders in it, such as
 * `<CuboidCollider>`, are added.
 *
 * The ref is the body's handle: it exists after the first layout effects, has Rapier's methods, and is null after the
 * component was unmounted. A change of a prop sends that setting alone; `position` and `rotation` move the body when they
 * change. Another `colliders` or `canSleep` makes another body.
 *
 * @throws Error outside of `<Physics>`; TypeError or RangeError for a prop that is none, naming it.
 */
export const RigidBody = memo(function RigidBody(props: RigidBodyProps): JSX.Element {
  const { scope } = usePhysics('<RigidBody>');
  if (isDevelopment) checkProps('body', '<RigidBody>', props);
  const [owner] = useState(() => new ObjectBody(scope));
  owner.onLateError = useLateErrors();
  const object = useRef<Object3D>(null);
  const { children, ignores = [], ref } = props;
  requireList('ignores of <RigidBody>', ignores);
  // Before all layout effects: those of the children need the body.
  useInsertionEffect(() => owner.setProps(props));
  useLayoutEffect(() => {
    if (object.current !== null) owner.sync(object.current, ref);
  });
  useLayoutEffect(() => () => owner.detachRef(), [owner]);
  useRelease(owner);
  return (
    <BodyContext value={owner}>
      <object3D ref={object} {...objectProps(props)} {...{ [OWNER_PROPERTY]: owner }}>
        {children}
      </object3D>
      {ignores.map((other, index) => (
        <IgnoredBody key={index} owner={owner} other={other} />
      ))}
    </BodyContext>
  );
});
