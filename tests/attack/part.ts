/** An attack consists of parts that each try to break one promise for their share of the time. */

/** The parameters of a part. */
export interface AttackContext {
  /** Determines every choice of the part. */
  readonly seed: number;
  /** The part's duration, in ms. It finishes what it has begun. */
  readonly timeLimitMs: number;
  /** Called now and then with the number of attempts. */
  readonly onProgress: (tried: number) => void;
  /** Called while a failing case is shrunk, with the number of attempts so far. */
  readonly onReduction: (reruns: number) => void;
}

/** A broken promise. */
export interface AttackFailure {
  /** The promise that did not hold. */
  readonly message: string;
  /** How to reproduce it: the smallest case that was found, in words. */
  readonly steps: string;
  /** With this seed it is among the first cases that are tried. Undefined: with that of the attack, after as long. */
  readonly seed?: number;
}

export interface AttackReport {
  /** The number of attempts, in the part's unit. */
  readonly tried: number;
  readonly failure?: AttackFailure;
}

export interface AttackPart {
  readonly name: string;
  /** The target, in a few words. */
  readonly about: string;
  /** The counted unit, in the plural. */
  readonly unit: string;
  /** The part's share of the time, relative to others of 1. Default 1. */
  readonly share?: number;
  readonly run: (context: AttackContext) => Promise<AttackReport>;
}
