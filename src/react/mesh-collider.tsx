/** `<MeshCollider>`. */
import {
  memo,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type JSX,
  type ReactNode,
} from 'react';
import type { Object3D } from 'three';
import { isDevelopment } from '../shared/util/development.js';
import { checkProps } from './check-props.js';
import { AutoColliders, MESH_COLLIDER_PROPERTY } from './auto-colliders.js';
import { BodyContext } from './body-context.js';
import type { RigidBodyAutoCollider } from './types.js';
import { useRelease } from './use-release.js';

/** Props of {@link MeshCollider}. */
export interface MeshColliderProps {
  /** Meshes, or what has meshes in it. */
  children: ReactNode;
  /** Which colliders the meshes in it get. */
  type: RigidBodyAutoCollider;
}

/**
 * Gives the meshes in it other colliders than the `<RigidBody>` around it would.
 *
 * @throws Error outside of a `<RigidBody>`.
 */
export const MeshCollider = memo(function MeshCollider(props: MeshColliderProps): JSX.Element {
  const { children, type } = props;
  if (isDevelopment) checkProps('meshCollider', '<MeshCollider>', props);
  const body = useContext(BodyContext);
  if (body === undefined) {
    throw new Error(
      '<MeshCollider> was used outside of <RigidBody>: put it into <RigidBody colliders={false}>, which has the body ' +
        'of its colliders',
    );
  }
  const object = useRef<Object3D>(null);
  const kind = useRef(type);
  const [colliders] = useState(
    () => new AutoColliders(body, () => kind.current, 'type of <MeshCollider>'),
  );
  useLayoutEffect(() => {
    kind.current = type;
    if (object.current !== null) colliders.sync(object.current);
  });
  useEffect(() => body.add(colliders), [body, colliders]);
  useRelease(colliders);
  return (
    <object3D ref={object} {...{ [MESH_COLLIDER_PROPERTY]: true }}>
      {children}
    </object3D>
  );
});
