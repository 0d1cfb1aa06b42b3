/** What an attack consists of: parts that each try to break one promise for as long as they are given. */

/** What a part is given. */
export interface AttackContext {
  /** Decides everything that the part chooses. */
  readonly seed: number;
  /** How long it goes on, in ms. It finishes what it has begun. */
  readonly timeLimitMs: number;
  /** Called now and then with how much has been tried. */
  readonly onProgress: (tried: number) => void;
  /** Called while a case that fails is made smaller, with how many smaller ones have been tried. */
  readonly onReduction: (reruns: number) => void;
}

/** What broke. */
export interface AttackFailure {
  /** What was promised and did not hold. */
  readonly message: string;
  /** What leads there again: the smallest case that was found, in words. */
  readonly steps: string;
}

export interface AttackReport {
  /** How much was tried, in the part's unit. */
  readonly tried: number;
  readonly failure?: AttackFailure;
}

export interface AttackPart {
  readonly name: string;
  /** What is attacked, in a few words. */
  readonly about: string;
  /** What is counted, in the plural. */
  readonly unit: string;
  /** Its share of the time, beside others of 1. Default 1. */
  readonly share?: number;
  readonly run: (context: AttackContext) => Promise<AttackReport>;
}
