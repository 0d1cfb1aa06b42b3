/** Messages between the page and its worker. */
import type { LabRow, Scenario, StepperSettings, TraceSpan } from '../engine/index.js';
import type { StepperKind } from '../engine/loops/registry.js';

export interface RunRequest {
  readonly kinds: readonly StepperKind[];
  /** Steppers whose traces the page needs. */
  readonly traced: readonly StepperKind[];
  readonly scenario: Partial<Scenario>;
  readonly steppers: StepperSettings;
}

/** One for each stepper, in the order asked for. */
export type RunResult =
  | {
      readonly kind: StepperKind;
      readonly row: LabRow;
      /** Empty unless requested. */
      readonly spans: readonly TraceSpan[];
      /** Spans beyond the limit. */
      readonly omitted: number;
    }
  | { readonly kind: StepperKind; readonly error: string };
