/** Draws the poses that a room sends: a simulation in the page's thread shows a packet per tick. */
import { connect } from '../../render-main/connect.js';
import type { ConnectOptions } from '../../render-main/api/connect-options.js';
import { StreamedSimulation } from '../../sim-worker/room/streamed-simulation.js';
import { runLocally } from '../../sim-worker/run-locally.js';
import type { RoomConnection } from './room-handle.js';
import type { RoomBeginning, RoomLink } from './room-link.js';
import { ignoreDisposal } from './ignore-disposal.js';

const now = (): number => performance.now();

/** Most ticks that actions are ahead of the last packet: a room refuses those that are 60 ticks ahead of it. */
const MAX_AHEAD_TICKS = 30;

export async function streamRoom(
  link: RoomLink,
  { welcome, timing }: RoomBeginning,
  settings: ConnectOptions,
) {
  const tickRateHz = welcome.tickRateHz / welcome.ticksPerPacket;
  const actionTick = (): number => {
    if (!timing.clock.isKnown) return 0;
    const tick = timing.tickAt(timing.clock.roomMsAt(now()) + timing.leadMs) + 1;
    // A room that was busy has dropped ticks, which the page does not know yet.
    return Math.min(tick, link.packetTick + MAX_AHEAD_TICKS);
  };
  const streamed = new StreamedSimulation(welcome, {
    onActions: (actions) => {
      const tick = Math.max(0, actionTick());
      link.sendActions(actions.map((action) => ({ ...action, tick })));
    },
    onTick: (roomTick) => timing.noteTick(roomTick, now()),
  });
  const simulation = await connect(() => runLocally(streamed), { ...settings, tickRateHz });
  link.open({
    onMessage: (message) => {
      if (message.kind === 'packet') streamed.receive(message);
      else if (message.kind === 'welcome') streamed.begin(message);
    },
    actionTick,
    onTurn: () => {
      timing.adaptLead();
      const { timeScale, skippedTicks } = timing.correctDelay(1000 / tickRateHz);
      streamed.skip(skippedTicks);
      if (timeScale !== simulation.timeScale) ignoreDisposal(simulation.setTimeScale(timeScale));
    },
  });
  const connection: RoomConnection = {
    seat: welcome.seat,
    mode: 'stream',
    get roundTripMs() {
      return timing.clock.roundTripMs;
    },
    get behindMs() {
      return timing.delayMs;
    },
    get stream() {
      return streamed.counters;
    },
    prediction: undefined,
    get error() {
      return link.error;
    },
  };
  return { simulation, connection };
}
