/** What the panel shows of the connection, in words. */
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
