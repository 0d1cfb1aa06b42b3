/** Where cases are measured. */
import type { CaseRequest, MeasuredCase } from '../runner/measure-case.js';

export interface BenchRuntime {
  /** By name, for the head of the result. */
  readonly versions: Readonly<Record<string, string>>;
  measure(request: CaseRequest): Promise<MeasuredCase>;
  close(): Promise<void>;
}

/** How the user ends it. */
export interface Stop {
  /** After the current repeat. */
  readonly isRequested: boolean;
  /** Immediately. */
  readonly now: AbortSignal;
}
