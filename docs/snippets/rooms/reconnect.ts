import type { Room } from '@colyseus/sdk';
import type { RoomHandle } from 'betwixt/colyseus';

type Game = RoomHandle<{ release(): void }>;

export function showConnection(room: Room, sim: Game, say: (text: string) => void): void {
  // Of Colyseus' client: from the first second on, and for as long as the seat is kept.
  Object.assign(room.reconnection, { minUptime: 0, maxDelay: 1000, maxRetries: 12 });
  room.onDrop(() => say('The connection is lost. Trying again …'));
  room.onReconnect(() => {
    say(`You have seat ${sim.room.seat} again.`);
    sim.commands.release().catch((error: unknown) => console.error(error));
  });
  // For good: the picture stays as it was.
  room.onLeave((code) =>
    say(code === 4001 ? 'The server was ended.' : 'The connection is lost for good.'),
  );
}
