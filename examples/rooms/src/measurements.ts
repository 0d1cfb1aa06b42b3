/** Measurements of the connection: in words for the panel, and whether the server is silent. */
import type { RoomHandle } from 'betwixt/colyseus';
import type { Traffic } from './slow-room.js';

/** Counts the traffic of the last second. */
export class TrafficMeter {
  #last: { readonly atMs: number; readonly traffic: Traffic } | undefined;

  /** Per second since the last call. */
  rates(traffic: Traffic, nowMs: number): Traffic {
    const before = this.#last;
    this.#last = { atMs: nowMs, traffic: { ...traffic } };
    const seconds = before === undefined ? 0 : (nowMs - before.atMs) / 1000;
    const rate = (name: keyof Traffic): number =>
      seconds === 0 ? 0 : (traffic[name] - (before?.traffic[name] ?? 0)) / seconds;
    return {
      inBytes: rate('inBytes'),
      inMessages: rate('inMessages'),
      outBytes: rate('outBytes'),
      outMessages: rate('outMessages'),
    };
  }
}

const ms = (value: number): string =>
  Number.isFinite(value) ? `${Math.round(value)} ms` : 'not known yet';
const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB/s`;

/** Rows of name and value, in this order. */
export function rowsOf(
  { mode, roundTripMs, behindMs, stream, prediction }: RoomHandle['room'],
  { inBytes, inMessages, outBytes, outMessages }: Traffic,
): readonly (readonly [name: string, value: string])[] {
  const common = [
    ['Packets in', `${Math.round(inMessages)}/s, ${kB(inBytes)}`],
    ['Packets out', `${Math.round(outMessages)}/s, ${kB(outBytes)}`],
    ['Round trip', ms(roundTripMs)],
  ] as const;
  if (mode === 'stream') {
    return [
      ...common,
      ['Behind the server', ms(behindMs)],
      ['Packets shown', String(stream?.shown ?? 0)],
      ['Starved ticks', String(stream?.starved ?? 0)],
      ['Packets skipped', String(stream?.merged ?? 0)],
    ];
  }
  return [
    ...common,
    ['Ahead of the server', ms(-behindMs)],
    ['Rollbacks', `${prediction?.rollbacks ?? 0} over ${prediction?.repeatedTicks ?? 0} ticks`],
    ['Corrected balls', String(prediction?.correctedBodies ?? 0)],
    ['Hashes that differ', `${prediction?.desyncs ?? 0} of ${prediction?.hashes ?? 0}`],
  ];
}

/** Looks without a message between them. A page looks twice a second, and a server sends thirty packets. */
const SILENT_LOOKS = 8;

/**
 * Notices that a server is silent although its connection is open: the browser may take minutes to give it up. It counts
 * looks and not time, so that a suspended machine does not count as a silent server.
 */
export class SilenceWatch {
  #messages = -1;
  #looks = 0;

  /** @param messages How many have come so far. */
  isSilent(messages: number): boolean {
    this.#looks = messages === this.#messages ? this.#looks + 1 : 0;
    this.#messages = messages;
    return this.#looks >= SILENT_LOOKS;
  }
}
