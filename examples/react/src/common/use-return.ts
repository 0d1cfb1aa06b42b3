/** Bodies that fall out of a scene begin again at its top. */
import { useFrame } from '@react-three/fiber';
import type { RefObject } from 'react';

interface Place {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** What is needed of a body, in both libraries. */
interface FallingBody {
  translation(): Place;
  setTranslation(place: Place, wakeUp: boolean): void;
  setLinvel(velocity: Place, wakeUp: boolean): void;
}

/** @param lowest Below this height, the body is put back to its place, at rest. */
export function useReturn(body: RefObject<FallingBody | null>, place: Place, lowest: number): void {
  useFrame(() => {
    if (body.current === null || body.current.translation().y > lowest) return;
    body.current.setTranslation(place, true);
    body.current.setLinvel({ x: 0, y: 0, z: 0 }, true);
  });
}
