import { expect, test } from 'vitest';
import { ClientOutbox } from '../../../../src/rooms/server/client-outbox.js';

/** A client that has been welcomed, and whose connection sends only when the test says so. At most 1,000 bytes may wait. */
class SlowClient {
  readonly outbox = new ClientOutbox({ maxBufferedBytes: 1000, maxBehindMs: 5000 });
  buffered = 0;
  maxBuffered = 0;
  nowMs = 0;

  constructor(welcomeBytes = 0) {
    this.welcome(welcomeBytes);
  }

  offer(length: number): boolean {
    return this.#note(length, this.outbox.offerPacket(length, this.buffered, this.nowMs));
  }

  answer(length: number, isWelcome = false): boolean {
    const isSent = this.outbox.offerAnswer(length, this.buffered, this.nowMs, isWelcome);
    return this.#note(length, isSent);
  }

  welcome(length: number): boolean {
    const isSent = this.outbox.canWelcome(this.buffered);
    if (isSent) this.outbox.noteWelcome(length);
    return this.#note(length, isSent);
  }

  #note(length: number, isSent: boolean): boolean {
    if (isSent) this.buffered += length;
    this.maxBuffered = Math.max(this.maxBuffered, this.buffered);
    return isSent;
  }
}

test('what is sent to a client begins with a welcome, and packets before it are not missing', () => {
  const outbox = new ClientOutbox({ maxBufferedBytes: 1000, maxBehindMs: 5000 });
  expect(outbox.offerPacket(10, 0, 0)).toBe(false);
  expect(outbox.dropped).toBe(0);
  const client = new SlowClient(100);
  expect([client.welcome(100), client.offer(10)]).toEqual([false, true]);
  expect(client.outbox).toMatchObject({ sentBytes: 110, dropped: 0, welcomes: 1 });
});

test('packets for a client stop when too much waits, and continue with a welcome when most of it was sent', () => {
  const client = new SlowClient();
  while (client.offer(100)) client.nowMs += 10;
  expect(client.buffered).toBe(1100);
  client.buffered = 300;
  expect([client.offer(100), client.welcome(100)]).toEqual([false, false]);
  client.buffered = 250;
  expect([client.welcome(100), client.offer(100)]).toEqual([true, true]);
  expect(client.outbox).toMatchObject({ dropped: 2, welcomes: 2 });
});

test('a welcome may be longer than what may wait for a client', () => {
  const client = new SlowClient(50_000);
  for (let count = 0; count < 11; count++) expect(client.offer(100)).toBe(true);
  expect(client.offer(100)).toBe(false);
  client.buffered = 0;
  client.welcome(100);
  // The allowance was for the long one.
  client.buffered = 1101;
  expect(client.offer(100)).toBe(false);
});

test('what waits for a client is bounded, whatever it asks for without reading', () => {
  const client = new SlowClient(5000);
  for (let count = 0; count < 1000; count++) {
    client.offer(100);
    client.answer(30);
    client.answer(5000, true);
    client.welcome(5000);
  }
  expect(client.maxBuffered).toBeLessThanOrEqual(1000 + 5000 + 100);
});

test('a client gets no packets after a welcome that could not be sent', () => {
  const client = new SlowClient();
  client.buffered = 2000;
  expect(client.answer(50, true)).toBe(false);
  client.buffered = 900;
  expect(client.offer(10)).toBe(false);
  client.buffered = 0;
  expect([client.welcome(50), client.offer(10)]).toEqual([true, true]);
});

test('a client is stuck when it has been behind for too long, and not on a new connection', () => {
  const client = new SlowClient();
  client.buffered = 2000;
  client.nowMs = 100;
  client.offer(1);
  client.nowMs = 5100;
  client.offer(1);
  expect([5100, 5101].map((ms) => client.outbox.isStuck(ms))).toEqual([false, true]);
  client.outbox.reset();
  expect(client.outbox.isStuck(5101)).toBe(false);
});
