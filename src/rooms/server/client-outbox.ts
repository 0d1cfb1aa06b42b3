/**
 * Decides what is sent to one client, which may read slowly, or never.
 *
 *     joining ──▶ following ──▶ behind ──▶ following …
 *        welcome     too much is buffered    welcome, when it was sent
 *
 * A packet says what has changed since the one before, so a client that misses one needs a new welcome.
 */

/** How much a client may leave unread. */
export interface OutboxLimits {
  readonly maxBufferedBytes: number;
  readonly maxBehindMs: number;
}

export class ClientOutbox {
  readonly #limits: OutboxLimits;
  #isFollowing = false;
  #behindSinceMs: number | undefined;
  /** Bytes of the last welcome, until it was sent: it may be longer than what may be buffered. */
  #welcomeBytes = 0;
  /** Bytes of the messages that were sent. */
  sentBytes = 0;
  /** Messages that were not sent because too much was buffered. */
  dropped = 0;
  welcomes = 0;

  constructor(limits: OutboxLimits) {
    this.#limits = limits;
  }

  /** Begins again, on another connection. */
  reset(): void {
    this.#isFollowing = false;
    this.#behindSinceMs = undefined;
    this.#welcomeBytes = 0;
  }

  /**
   * Whether to send a packet now. If not, a welcome has to come first.
   *
   * @param length In bytes.
   * @param bufferedBytes Bytes that the connection has not sent yet.
   */
  offerPacket(length: number, bufferedBytes: number, nowMs: number): boolean {
    if (!this.#isFollowing) {
      if (this.#behindSinceMs !== undefined) this.dropped += 1;
      return false;
    }
    return this.offerAnswer(length, bufferedBytes, nowMs) || this.#fallBehind(nowMs);
  }

  /**
   * Whether to send an answer now.
   *
   * @param isWelcome Whether packets can follow it. If it is not sent, the next possible welcome has to be sent in its place.
   */
  offerAnswer(length: number, bufferedBytes: number, nowMs: number, isWelcome = false): boolean {
    const { maxBufferedBytes } = this.#limits;
    if (bufferedBytes <= maxBufferedBytes) this.#welcomeBytes = 0;
    // One welcome at a time: they are long.
    const allowance = isWelcome ? 0 : this.#welcomeBytes;
    if (bufferedBytes > maxBufferedBytes + allowance) {
      this.dropped += 1;
      if (isWelcome) this.#fallBehind(nowMs);
      return false;
    }
    if (isWelcome) this.noteWelcome(length);
    else this.sentBytes += length;
    return true;
  }

  /** Whether it needs a welcome and can get it now. */
  canWelcome(bufferedBytes: number): boolean {
    return !this.#isFollowing && bufferedBytes <= this.#limits.maxBufferedBytes / 4;
  }

  /** Notes that a welcome is sent, which packets follow. */
  noteWelcome(length: number): void {
    this.#isFollowing = true;
    this.#behindSinceMs = undefined;
    this.#welcomeBytes = length;
    this.sentBytes += length;
    this.welcomes += 1;
  }

  /** Whether it has been behind for too long. */
  isStuck(nowMs: number): boolean {
    return (
      this.#behindSinceMs !== undefined && nowMs - this.#behindSinceMs > this.#limits.maxBehindMs
    );
  }

  #fallBehind(nowMs: number): false {
    this.#isFollowing = false;
    this.#behindSinceMs ??= nowMs;
    return false;
  }
}
