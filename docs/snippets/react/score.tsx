import { Physics, RigidBody, type CollisionEnterPayload } from 'betwixt/react';
import type { ReactNode } from 'react';

/** The ticks of all hits: those that are undone can be taken back. */
let hits: number[] = [];

function onHit({ tick = 0, isLate, isReplayed }: CollisionEnterPayload): void {
  // A replay repeats hits that are already counted, and after a jump, contacts and sensors that are open are reported again.
  if (!isLate && !isReplayed) hits.push(tick);
}

/** The run has gone back to a tick. */
const goBack = (to: number): void => void (hits = hits.filter((tick) => tick <= to));

export const Game = ({ children }: { children: ReactNode }) => (
  <Physics
    onReady={(_, sim) => {
      sim.on('status', (status) => {
        if (status.kind === 'jumped' && sim.replay === undefined) goBack(status.tick);
      });
    }}
  >
    <RigidBody onCollisionEnter={onHit}>{children}</RigidBody>
  </Physics>
);
