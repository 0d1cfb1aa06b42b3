/**
 * The room's clock, as a client knows it from its pings.
 *
 *     client   sent ─────────────────── received      offset = room − (sent + received) / 2
 *     room             answer                         error ≤ (received − sent) / 2
 *
 * The shortest round trip of the last few seconds gives the best estimate, as in NTP (David L. Mills' clock filter). Old
 * ones are forgotten, because clocks drift and routes change.
 */
interface Sample {
  readonly receivedMs: number;
  readonly offsetMs: number;
  readonly roundTripMs: number;
}

/** How long a round trip counts, in ms: two clocks that differ by 50 ppm drift by half a millisecond in that time. */
const WINDOW_MS = 10_000;

export class RoomClock {
  #samples: Sample[] = [];
  #best: Sample | undefined;

  /** Whether it can be read. */
  get isKnown(): boolean {
    return this.#best !== undefined;
  }

  /** Room clock minus client clock, in ms. NaN before the first answer. */
  get offsetMs(): number {
    return this.#best?.offsetMs ?? Number.NaN;
  }

  /** The shortest round trip of the last ten seconds, in ms. NaN before the first answer. */
  get roundTripMs(): number {
    return this.#best?.roundTripMs ?? Number.NaN;
  }

  /** Most that {@link offsetMs} can be wrong, in ms. Infinity before the first answer. */
  get uncertaintyMs(): number {
    return (this.#best?.roundTripMs ?? Number.POSITIVE_INFINITY) / 2;
  }

  /** Notes the answer to a ping. All times in ms; `roomMs` is by the room's clock. */
  note(sentMs: number, roomMs: number, receivedMs: number): void {
    const roundTripMs = receivedMs - sentMs;
    // Such a clock was set back.
    if (!(roundTripMs >= 0) || !Number.isFinite(roomMs)) return;
    const offsetMs = roomMs - (sentMs + receivedMs) / 2;
    this.#samples.push({ receivedMs, offsetMs, roundTripMs });
    this.#samples = this.#samples.filter((sample) => receivedMs - sample.receivedMs <= WINDOW_MS);
    this.#best = this.#samples.reduce((best, sample) =>
      sample.roundTripMs <= best.roundTripMs ? sample : best,
    );
  }

  /** Time on the room's clock, in ms. */
  roomMsAt(clientMs: number): number {
    return clientMs + this.offsetMs;
  }
}
