/** How an engine reports events whose records it writes itself, so that simulations without it do not load that. */
import type { EventRecord, PairRecord } from '../../shared/events/event-record.js';

/**
 * Writes the record of a pair, except its head, and returns its length in words.
 *
 * @param isKnown False if the record is sent late, so that where and how it happened must be left open.
 */
export type WritePair = (record: EventRecord, isKnown: boolean) => number;

/** The part of `context.events` that is not public. */
export interface PairReports {
  /**
   * Reports that a pair begins or ends.
   *
   * @param a The two numbers identify the pair among those of its type. Its end is for the caller to report.
   * @returns Whether it begins or ends now. False if it is on several times, or was over.
   */
  pair(
    type: PairRecord,
    a: number,
    b: number,
    isOn: boolean,
    isLate: boolean,
    write: WritePair,
  ): boolean;
  /**
   * Reports a contact force. Not a pair: each report is delivered or lost.
   *
   * @param write Writes the record except its head, and returns its length in words.
   */
  force(write: (record: EventRecord) => number): void;
}
