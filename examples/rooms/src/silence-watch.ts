/**
 * Notices that a server is silent although its connection is open: the browser may take minutes to give it up.
 *
 * It counts looks and not time, so that a machine that was suspended does not count as a silent server.
 */

/** Looks without a message between them. A page looks twice a second, and a server sends thirty packets. */
const SILENT_LOOKS = 8;

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
