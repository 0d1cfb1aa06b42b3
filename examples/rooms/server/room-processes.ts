/** Starts and ends the processes that run rooms. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RoomProcessMessage, RoomProcessSettings } from './room-process.js';

const SCRIPT = fileURLToPath(new URL('room-process.ts', import.meta.url));

export interface RoomProcess extends RoomProcessMessage {
  /** Of the operating system. */
  readonly pid: number;
  /** Resolves with the exit code when it has ended, for whatever reason. */
  readonly ended: Promise<number>;
  /** Ends it: its rooms finish their recordings. */
  stop(): Promise<void>;
}

/** @throws Error if it ends before it listens. It has printed why. */
export async function startRoomProcess(settings: RoomProcessSettings): Promise<RoomProcess> {
  const child = fork(SCRIPT, [JSON.stringify(settings)]);
  const ended = once(child, 'exit').then(([code]) => (code as number | null) ?? 1);
  const started = await Promise.race([messageOf(child), ended]);
  if (typeof started === 'number') throw new Error('the process of the rooms did not start');
  return {
    ...started,
    pid: child.pid ?? 0,
    ended,
    async stop() {
      // It ends when its parent leaves.
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

async function messageOf(child: ChildProcess): Promise<RoomProcessMessage> {
  const [message] = (await once(child, 'message')) as [RoomProcessMessage];
  return message;
}
