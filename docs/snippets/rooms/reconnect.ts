import type { Room } from '@colyseus/sdk';
import type { RoomHandle } from 'betwixt/colyseus';

type Game = RoomHandle<{ release(): void }>;

export function showConnection(room: Room, sim: Game, say: (text: string) => void): void {
  // Colyseus' client retries from the first second on, for as long as the seat is kept.
  Object.assign(room.reconnection, { minUptime: 0, maxDelay: 1000, maxRetries: 12 });
  room.onDrop(() => say('The connection is lost. Trying again …'));
  room.onReconnect(() => {
    say(`You have seat ${sim.room.seat} again.`);
    sim.commands.release().catch((error: unknown) => console.error(error));
  });
  // The connection is over: the picture stays as it was.
  room.onLeave((code) =>
    say(code === 4001 ? 'The server was shut down.' : 'The connection is lost for good.'),
  );
}
