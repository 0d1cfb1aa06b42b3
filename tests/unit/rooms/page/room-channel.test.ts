/** A page asks for the state of its room, and reads its messages in order. */
import { expect, onTestFinished, test } from 'vitest';
import { sealedBytes } from '../../../fixtures/rooms/sealed-bytes.js';
import { SeatedToy } from '../../../fixtures/rooms/seated-toy.js';
import { openVirtualRoom } from '../../../fixtures/rooms/virtual-room.js';
import { RoomChannel, RoomConnectionError } from '../../../../src/rooms/page/room-channel.js';
import { encodePacket, encodePong } from '../../../../src/rooms/shared/room-messages.js';

/** A room to which messages take no time, and pages with a seat in it. */
async function openRoom() {
  const { time, join, pass } = await openVirtualRoom({ delayMs: 0, jitterMs: 0 }, new SeatedToy());
  const openPage = () => {
    const client = join();
    const { sendBytes } = client;
    /** When the page asked for the state, in ms after it had joined. */
    const asked: number[] = [];
    const joinedMs = time.nowMs;
    const page = { isHeard: true };
    client.sendBytes = (type, bytes) => {
      const isPing = bytes.length > 8;
      if (!isPing) asked.push(time.nowMs - joinedMs);
      if (page.isHeard) sendBytes(type, bytes);
    };
    const channel = new RoomChannel(client, 'predict', () => time.nowMs);
    onTestFinished(() => channel.close());
    /** The state of the room has come. */
    const begin = async () => {
      const beginning = channel.begin();
      await pass(1);
      return beginning;
    };
    /** A message that the room has not sent. */
    const receive = (bytes: Uint8Array): void => client.handler?.(bytes);
    return Object.assign(page, { channel, client, asked, begin, receive });
  };
  return { time, pass, openPage };
}

test('messages of a room that come before the welcome and need it are ignored, and others end the channel', async () => {
  const { openPage } = await openRoom();
  const { channel, begin, receive } = openPage();
  const action = { kind: 'command', tick: 1, name: 'push', args: '[1]' } as const;
  receive(encodePacket({ tick: 2, actions: [action] }, ['push'], 1));
  receive(encodePong({ clientMs: 0, roomMs: 0 }));
  expect(await begin()).toMatchObject({ welcome: { seat: 0 } });
  expect(channel.error).toBeUndefined();

  const other = openPage();
  const refused = other.channel.begin();
  other.receive(sealedBytes(Uint8Array.of(9)));
  await expect(refused).rejects.toThrow('there are no messages of kind 9');
});

test.each<[what: string, later: number]>([
  ['was lost', 6],
  ['comes again', 2],
])('a channel ends with the reason where a packet %s', async (_, later) => {
  const { channel, begin, receive } = (await openRoom()).openPage();
  const { packetTick } = (await begin()).welcome;
  const ticks: number[] = [];
  channel.open({
    onMessage: (message) => ticks.push((message as { tick: number }).tick),
    onCorrection: () => undefined,
  });
  for (const of of [2, later, 4]) receive(encodePacket({ tick: packetTick + of }, [], 1));
  expect(ticks).toEqual([packetTick + 2]);
  expect(channel.error).toBeInstanceOf(RoomConnectionError);
  expect(channel.error?.message).toBe(
    `a message of the room cannot be read: it is of tick ${packetTick + later}, and that of tick ${packetTick + 4} is next`,
  );
});

test('a room that does not answer is asked less and less often, and no longer when it has', async () => {
  const { time, pass, openPage } = await openRoom();
  const page = openPage();
  page.isHeard = false;
  const beginning = page.channel.begin();
  await time.advance(40_000);
  page.isHeard = true;
  await time.advance(8000);
  await pass(1);
  await expect(beginning).resolves.toMatchObject({ welcome: { seat: 0 } });
  await time.advance(40_000);
  expect(page.asked).toEqual([0, 1500, 4500, 10_500, 22_500, 34_500, 46_500]);
});

test('a room is asked for nothing while the connection is lost, and after the end of the channel', async () => {
  const { time, openPage } = await openRoom();
  const page = openPage();
  const { channel, client, asked } = page;
  page.isHeard = false;
  void channel.begin();
  client.connection.isOpen = false;
  await time.advance(10_000);
  expect([asked.length, channel.stateRequests]).toEqual([1, 1]);
  client.connection.isOpen = true;
  await time.advance(3000);
  expect(asked).toHaveLength(2);
  channel.close();
  await time.advance(60_000);
  expect(asked).toHaveLength(2);
});

test('the end of a channel to a room is reported, also when it is opened later', async () => {
  const { openPage } = await openRoom();
  const told: string[] = [];
  const begun = async (name: string) => {
    const { channel, begin } = openPage();
    await begin();
    const handlers = { onMessage() {}, onCorrection() {}, onEnd: () => told.push(name) };
    return { channel, open: () => channel.open(handlers) };
  };
  const ended = await begun('open');
  ended.open();
  ended.channel.end(new Error('the room is over'));
  ended.channel.end(new Error('again'));
  const early = await begun('opened later');
  early.channel.end(new Error('the room is over'));
  early.open();
  const closed = await begun('closed');
  closed.open();
  closed.channel.close();
  expect(told).toEqual(['open', 'opened later']);
});
