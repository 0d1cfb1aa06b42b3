/** Runs parts of an attack in sequence, each for its share of the time. */
import type { AttackFailure, AttackPart } from './part.js';

/** How a part ended. */
export interface PartOutcome {
  readonly part: string;
  readonly about: string;
  readonly unit: string;
  readonly tried: number;
  readonly seconds: number;
  readonly failure?: AttackFailure;
  /** Set if it was ended before its time was over. */
  readonly isInterrupted?: true;
}

export interface AttackOptions {
  readonly parts: readonly AttackPart[];
  readonly seed: number;
  /** For all parts together. */
  readonly minutes: number;
  readonly onProgress: (part: AttackPart, tried: number, seconds: number) => void;
  /** A failing case is shrunk. */
  readonly onReduction: (part: AttackPart, reruns: number) => void;
  readonly onEnd: (outcome: PartOutcome) => void;
}

export async function runAttack({
  parts,
  seed,
  minutes,
  onProgress,
  onReduction,
  onEnd,
}: AttackOptions): Promise<PartOutcome[]> {
  const shares = parts.reduce((sum, { share = 1 }) => sum + share, 0);
  const outcomes: PartOutcome[] = [];
  for (const part of parts) {
    const startMs = performance.now();
    const seconds = (): number => (performance.now() - startMs) / 1000;
    const { name, about, unit, share = 1 } = part;
    const timeLimitMs = (minutes * 60_000 * share) / shares;
    const report = await part
      .run({
        seed,
        timeLimitMs,
        onProgress: (tried) => onProgress(part, tried, seconds()),
        onReduction: (reruns) => onReduction(part, reruns),
      })
      // A part that throws has broken its promise to report what it found.
      .catch((error: unknown) => ({
        tried: 0,
        failure: { message: `the part itself failed: ${String(error)}`, steps: '' },
      }));
    const outcome = { part: name, about, unit, seconds: seconds(), ...report };
    outcomes.push(outcome);
    onEnd(outcome);
  }
  return outcomes;
}
