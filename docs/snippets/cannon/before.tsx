import { useBox } from '@react-three/cannon';
import { useEffect, useRef } from 'react';
import type { Mesh } from 'three';

// #region box
function Box() {
  const [ref, api] = useBox<Mesh>(() => ({ mass: 1, args: [2, 1, 2], position: [0, 5, 0] }));
  const speed = useRef(0);
  useEffect(
    () => api.velocity.subscribe(([x, y, z]) => (speed.current = Math.hypot(x, y, z))),
    [api],
  );
  return (
    <mesh ref={ref} onClick={() => speed.current < 1 && api.applyImpulse([0, 5, 0], [0, 0, 0])}>
      <boxGeometry args={[2, 1, 2]} />
    </mesh>
  );
}
// #endregion

export const BEFORE = Box;
