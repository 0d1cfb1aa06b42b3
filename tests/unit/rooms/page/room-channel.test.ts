/** A page asks for the state of its room, and reads its messages in order. */
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { sealedBytes } from '../../../fixtures/rooms/sealed-bytes.js';
import { SeatedToy } from '../../../fixtures/rooms/seated-toy.js';
import { RoomChannel, RoomConnectionError } from '../../../../src/rooms/page/room-channel.js';
import { encodePacket, encodePong } from '../../../../src/rooms/shared/room-messages.js';
import { RoomRun } from '../../../../src/rooms/run/room-run.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
/** A page with a seat in a room. Time passes only by `pass`. */
async function join() {
  let nowMs = 0;
  const connection = { isOpen: true };
  /** When the page asked for the state, and what the room answered. */
  const asked: string[] = [];
  let hear: ((bytes: Uint8Array) => void) | undefined;
  const room = await RoomRun.open(new SeatedToy(), { capacity: 64, values: 1 }, { onPacket() {} });
  onTestFinished(() => room.dispose());
  room.join(0, 'Ada');
  const faults = { isDeaf: false };
  const channel = new RoomChannel(
    {
      connection,
      sendBytes(_, bytes) {
        const isPing = bytes.length > 8;
        const answer = faults.isDeaf ? undefined : room.receive(0, bytes, nowMs);
        if (!isPing) asked.push(`${nowMs} ms: ${answer === undefined ? 'refused' : 'sent'}`);
        if (answer !== undefined) queueMicrotask(() => hear?.(answer));
      },
      onMessage(_, handler) {
        hear = handler;
        return () => undefined;
      },
      onLeave() {},
    },
    'predict',
    () => nowMs,
  );
  onTestFinished(() => channel.close());
  return {
    channel,
    asked,
    connection,
    faults,
    /** A message that the room has not sent. */
    receive: (bytes: Uint8Array): void => hear?.(bytes),
    async pass(ms: number) {
      await vi.advanceTimersByTimeAsync(0);
      for (const endMs = nowMs + ms; nowMs < endMs;) {
        nowMs += 50;
        await vi.advanceTimersByTimeAsync(50);
      }
    },
  };
}

test('messages of a room that come before the welcome and need it are ignored, and others end the channel', async () => {
  const { channel, receive } = await join();
  const beginning = channel.begin();
  const action = { kind: 'command', tick: 1, name: 'push', args: '[1]' } as const;
  receive(encodePacket({ tick: 2, actions: [action] }, ['push'], 1));
  receive(encodePong({ clientMs: 0, roomMs: 0 }));
  await expect(beginning).resolves.toMatchObject({ welcome: { seat: 0 } });
  expect(channel.error).toBeUndefined();

  const other = await join();
  const refused = other.channel.begin();
  other.receive(sealedBytes(Uint8Array.of(9)));
  await expect(refused).rejects.toThrow('there are no messages of kind 9');
});

test.each<[what: string, tick: number]>([
  ['was lost', 6],
  ['comes again', 2],
])('a channel ends with the reason where a packet %s', async (_, tick) => {
  const { channel, receive } = await join();
  await channel.begin();
  const ticks: number[] = [];
  channel.open({
    onMessage: (message) => ticks.push((message as { tick: number }).tick),
    onCorrection: () => undefined,
  });
  for (const of of [2, tick, 4]) receive(encodePacket({ tick: of }, [], 1));
  expect(ticks).toEqual([2]);
  expect(channel.error).toBeInstanceOf(RoomConnectionError);
  expect(channel.error?.message).toBe(
    `a message of the room cannot be read: it is of tick ${tick}, and that of tick 4 is next`,
  );
});

test('a room that does not answer is asked less and less often, and no longer when it has', async () => {
  const { channel, asked, faults, pass } = await join();
  faults.isDeaf = true;
  const beginning = channel.begin();
  await pass(40_000);
  faults.isDeaf = false;
  await pass(40_000);
  expect(asked.map((line) => Number.parseInt(line, 10))).toEqual([
    0, 1500, 4500, 10_500, 22_500, 34_500, 46_500,
  ]);
  await expect(beginning).resolves.toMatchObject({ welcome: { seat: 0 } });
});

test('a room is asked for nothing while the connection is lost, and after the end of the channel', async () => {
  const { channel, asked, connection, faults, pass } = await join();
  faults.isDeaf = true;
  void channel.begin();
  connection.isOpen = false;
  await pass(10_000);
  expect([asked.length, channel.stateRequests]).toEqual([1, 1]);
  connection.isOpen = true;
  await pass(3000);
  expect(asked).toHaveLength(2);
  channel.close();
  await pass(60_000);
  expect(asked).toHaveLength(2);
});

test('the end of a channel to a room is reported, also when it is opened later', async () => {
  const { channel } = await join();
  await channel.begin();
  const told: string[] = [];
  const handlersOf = (name: string) => ({
    onMessage: () => undefined,
    onCorrection: () => undefined,
    onEnd: () => told.push(name),
  });
  channel.open(handlersOf('open'));
  channel.end(new Error('the room is over'));
  channel.end(new Error('again'));
  expect(told).toEqual(['open']);
  const other = (await join()).channel;
  await other.begin();
  other.end(new Error('the room is over'));
  other.open(handlersOf('opened later'));
  const closed = (await join()).channel;
  await closed.begin();
  closed.open(handlersOf('closed'));
  closed.close();
  expect(told).toEqual(['open', 'opened later']);
});
