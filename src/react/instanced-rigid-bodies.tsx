/** `<InstancedRigidBodies>`. */
import { isDevelopment } from '../shared/util/development.js';
import { checkProps } from './check-props.js';
import { useLateErrors } from './named-errors.js';
import {
  Fragment,
  memo,
  useImperativeHandle,
  useInsertionEffect,
  useLayoutEffect,
  useRef,
  useState,
  type JSX,
  type ReactNode,
  type Ref,
} from 'react';
import type { Object3D } from 'three';
import { OWNER_PROPERTY } from './body-owner.js';
import { withoutUndefined } from './collider-components.js';
import { renderedNodes } from './instance-colliders.js';
import { InstanceList } from './instance-list.js';
import { objectProps } from './object-props.js';
import { BodyContext } from './body-context.js';
import { usePhysics } from './physics-context.js';
import type { RigidBodyProps } from './rigid-body.js';
import type { RapierRigidBody } from './types.js';
import { useRelease } from './use-release.js';
import { requireList } from '../shared/util/validate.js';

/** One instance: the props of its body, and what tells it from others. */
export type InstancedRigidBodyProps = Omit<RigidBodyProps, 'ignores'> & { key: string | number };

/** Props of {@link InstancedRigidBodies}: those of a body are those of all instances that have no such prop. */
export interface InstancedRigidBodiesProps extends Omit<RigidBodyProps, 'ignores' | 'ref'> {
  /** One for each body: the i-th is drawn as the i-th instance of the mesh. */
  instances: InstancedRigidBodyProps[];
  /** Colliders that each instance gets, besides that of the mesh. Components of colliders cost no component each. */
  colliderNodes?: ReactNode[];
  /** An `<instancedMesh>`. Its `count` is left alone. */
  children: ReactNode;
  /** Set to the bodies, in the order of `instances`: the array stays the same one. */
  ref?: Ref<(RapierRigidBody | null)[] | null>;
}

const NO_NODES: ReactNode[] = [];

/**
 * Many bodies that are drawn by one `<instancedMesh>`, its only child: instance i is `instances[i]`, also where a ray has
 * hit (`instanceId`). Each gets a collider for the geometry of the mesh, by the prop `colliders`, and those of
 * `colliderNodes`.
 *
 * The key says which instance a row is: when some come and go, the others keep their bodies, and a changed prop of one
 * sends that one alone. An instance with another `canSleep` or `colliders` gets another body, which continues where the
 * old one was. In payloads of collisions, `rigidBodyObject` is the mesh.
 *
 * @throws Error outside of `<Physics>`; TypeError or RangeError for a prop that is none, and for two equal keys.
 */
export const InstancedRigidBodies = memo(function InstancedRigidBodies(
  props: InstancedRigidBodiesProps,
): JSX.Element {
  const { scope } = usePhysics('<InstancedRigidBodies>');
  if (isDevelopment) checkProps('instances', '<InstancedRigidBodies>', props);
  const [list] = useState(() => new InstanceList(scope));
  const object = useRef<Object3D>(null);
  const holder = useRef<Object3D>(null);
  const { children, colliderNodes = NO_NODES, instances, ref, ...shared } = props;
  requireList('instances of <InstancedRigidBodies>', instances);
  requireList('colliderNodes of <InstancedRigidBodies>', colliderNodes);
  const rendered = renderedNodes(colliderNodes);
  list.onLateError = useLateErrors();
  // Before all layout effects: those of colliders need the bodies.
  useInsertionEffect(() => list.setProps({ instances, colliderNodes, shared }));
  useLayoutEffect(() => {
    if (object.current !== null && holder.current !== null) {
      list.sync(object.current, holder.current);
    }
  });
  useImperativeHandle(ref, () => list.bodies, [list]);
  useRelease(list);
  return (
    <object3D ref={object} {...objectProps(shared)}>
      <object3D ref={holder}>{children}</object3D>
      {rendered.length > 0 &&
        instances.map(({ key, position, rotation, quaternion, scale }) => {
          const body = list.instance(key);
          const transform = withoutUndefined({ position, rotation, quaternion, scale });
          return (
            <BodyContext key={key} value={body}>
              <object3D {...transform} {...{ [OWNER_PROPERTY]: body }}>
                {rendered.map(([index, node]) => (
                  <Fragment key={index}>{node}</Fragment>
                ))}
              </object3D>
            </BodyContext>
          );
        })}
    </object3D>
  );
});
