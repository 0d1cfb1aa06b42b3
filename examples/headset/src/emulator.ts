/** A headset for browsers without one, whose right hand is the pointer. */
import { XRDevice, XRFrame, metaQuest3 } from 'iwer';

/** Time between two frames of a headset, in ms, and at least how long before it is shown each is drawn. */
const PERIOD_MS = 1000 / 90;
const LEAD_MS = 20;

export function emulateHeadset(): XRDevice {
  const headset = new XRDevice(metaQuest3);
  headset.installRuntime({ forceInstall: true });
  // The emulator's own is the time at which the frame is drawn.
  Object.defineProperty(XRFrame.prototype, 'predictedDisplayTime', {
    get: () => PERIOD_MS * Math.ceil((performance.now() + LEAD_MS) / PERIOD_MS),
  });
  headset.position.set(0, 1.5, 0.2);
  // The wearer looks down at the table.
  headset.quaternion.set(-0.22, 0, 0, 0.975);
  const { left, right } = headset.controllers;
  left?.position.set(-0.4, 1, -0.2);
  right?.position.set(0.4, 1, -0.2);
  addEventListener('pointermove', ({ clientX, clientY }) => {
    if (right === undefined) return;
    right.position.x = 1.2 * (clientX / innerWidth - 0.5);
    right.position.y = 1.5 - clientY / innerHeight;
  });
  addEventListener('wheel', ({ deltaY }) => {
    if (right !== undefined) right.position.z += deltaY / 2000;
  });
  addEventListener('pointerdown', () => right?.updateButtonValue('trigger', 1));
  addEventListener('pointerup', () => right?.updateButtonValue('trigger', 0));
  return headset;
}
