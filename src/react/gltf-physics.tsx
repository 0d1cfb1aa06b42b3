/** `<GltfPhysics>`. */
import type { ThreeElements } from '@react-three/fiber';
import {
  type JSX,
  type Ref,
  useContext,
  useEffect,
  useImperativeHandle,
  useReducer,
  useState,
} from 'react';
import type { Object3D } from 'three';
import { isDevelopment } from '../shared/util/development.js';
import { beginGltf } from '../three/gltf/add-gltf.js';
import { loadScene } from '../three/gltf/gltf-scene.js';
import type { AddedGltf, LoadedGltf } from '../three/index.js';
import type { RigidBody } from '../world/page/index.js';
import { BodyContext } from './body-owner.js';
import { checkProps } from './development.js';
import { componentNamed, named, useLateErrors } from './errors.js';
import { usePhysics } from './physics-context.js';
import type { PhysicsScope } from './physics-scope.js';
import { transformKeys } from './placement.js';

/** Props of {@link GltfPhysics}, and those of a group, such as `position`, which is around the scene of the file. */
export interface GltfPhysicsProps extends Omit<ThreeElements['group'], 'children' | 'ref'> {
  /** From drei's `useGLTF(url)`, or fiber's `useLoader(GLTFLoader, url)`. */
  gltf: LoadedGltf;
  /**
   * A clone of the file's scene, to show the file more than once: `useMemo(() => SkeletonUtils.clone(gltf.scene), [gltf])`.
   * Default: `gltf.scene` itself, which can be in one place only.
   */
  object?: Object3D | undefined;
  /** Set when the bodies are made, soon after the commit, and null when they are removed. A function gets the same. */
  ref?: Ref<AddedGltf> | undefined;
}

const NAME = '<GltfPhysics>';
const NESTED = `${NAME} was used within <RigidBody>: put it next to that, the file has its own bodies`;

/**
 * Shows a glTF, and adds the physics that it describes, as `addGltf` of `betwixt/three` does: by the names of its nodes, or by
 * `KHR_physics_rigid_bodies`.
 *
 *     const level = useRef<AddedGltf>(null);
 *     // <GltfPhysics gltf={useGLTF('/level.glb')} ref={level} />
 *     // In a handler: level.current?.bodies.get('Door')?.applyImpulse({ x: 5, y: 0, z: 0 }, true);
 *
 * Bodies begin as in the file whenever it is mounted, is shown again by `<Activity>`, or gets another `gltf`, `object`,
 * position, rotation or scale. An animation moves bodies if its mixer is updated before they are drawn, by `useFrame(…, -2)`.
 *
 * @throws Error outside of `<Physics>`, within `<RigidBody>`, and for what is wrong in the file: the nearest error boundary
 *   gets it.
 */
export function GltfPhysics(props: GltfPhysicsProps): JSX.Element {
  if (isDevelopment) checkProps('gltf', NAME, props);
  const { gltf, object = gltf.scene, ref, ...rest } = props;
  const { scope } = usePhysics(NAME);
  if (useContext(BodyContext)) throw new Error(NESTED);
  const [level, setLevel] = useState<AddedGltf>();
  const [jumps, countJump] = useReducer((count: number) => count + 1, 0);
  const onError = useLateErrors();
  const place = Object.values(transformKeys(rest)).join(';');
  // No layout effect: those end while a boundary around it is suspended.
  useEffect(() => {
    const { leases, world } = scope;
    const ends: (() => void)[] = [];
    let isOver = false;
    const add = async (): Promise<void> => {
      const loaded = await loadScene(gltf, object);
      // By then, StrictMode has ended the first effect, and the second one hides and shows the same meshes.
      if (isOver) return;
      const { added, whole, drawing } = beginGltf(world, loaded);
      const bodies = [...added.bodies.values()];
      // The run may jump to before the bodies.
      const isLost = () => !leases.isReadOnly && !bodies.some((body) => body.isValid());
      const follower = { resync: () => isLost() && countJump() };
      leases.resyncables.add(follower);
      ends.push(
        () => leases.resyncables.delete(follower),
        scope.onFrame(added.update),
        // While a replay is shown, its bodies stay: they go when it is closed.
        () => (leases.isReadOnly ? drawing.end() : added.remove()),
        ...bodies.map((body) => introduce(scope, body, () => !isOver)),
      );
      setLevel(added);
      await whole;
    };
    add().catch((error: unknown) => isOver || onError(named(error, NAME) as Error));
    return () => {
      isOver = true;
      for (const end of ends) end();
      leases.updateDependents();
    };
  }, [scope, gltf, object, place, jumps, onError]);
  useImperativeHandle(level && ref, () => level as AddedGltf, [level]);
  // Joints of hooks may be made of its bodies.
  useEffect(() => scope.leases.updateDependents(), [scope, level]);
  return (
    <group {...rest}>
      <primitive object={object} />
    </group>
  );
}

/** Tells collisions and jumps of a body. @returns Puts its node back where it was. */
function introduce(scope: PhysicsScope, body: RigidBody, has: () => boolean): () => void {
  const object = body.userData as Object3D;
  const [position, quaternion] = [object.position.clone(), object.quaternion.clone()];
  const componentOf = (): string => componentNamed('GltfPhysics', object.name);
  // Others do not draw it: an animation may move its node.
  scope.addBody(body, { current: body, object, props: {}, componentOf, onShown() {} });
  scope.leases.note(body, { has, discard: () => scope.removeBody(scope.world, body) });
  return () => {
    object.position.copy(position);
    object.quaternion.copy(quaternion);
  };
}
