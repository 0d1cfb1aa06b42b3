/** Runs one or more steppers in the same scenario: the rows of the table. */
import { isDeterministic } from './determinism.js';
import { EndlessLoopError } from './endless-loop.js';
import type { StepperOptions, StepperKind } from './loops/registry.js';
import { STEPPER_INFO } from './loops/stepper-info.js';
import type { LabRow } from './report.js';
import { resolveScenario, type Scenario } from './scenario.js';
import { simulate, type SimulationExtras } from './simulate.js';

/** Options of the steppers that differ from their defaults. */
export interface StepperSettings {
  /**
   * Ticks a second for every stepper that has them. Default: the rate of its source for a single
   * stepper, {@link COMPARISON_TICK_HZ} for several, so that they do the same work.
   */
  readonly tickHz?: number;
  /** Maximum updates a frame for every stepper that has such a limit. Default: its own. */
  readonly maxSteps?: number;
  /** Options by stepper and name; these take precedence over the two above. */
  readonly options?: Partial<Record<StepperKind, Readonly<Record<string, unknown>>>>;
}

export const COMPARISON_TICK_HZ = 60;

/**
 * Name of the option that limits updates a frame; the other steppers run one update a frame or have
 * no limit.
 */
const STEP_CAP: Partial<Record<StepperKind, string>> = {
  'frame-skip': 'maxFrameSkip',
  'fixed-predict': 'maxFrameSkip',
  'semi-fixed': 'maxSteps',
  fixed: 'maxSteps',
  'rate-groups': 'maxSteps',
  'bounded-variable': 'maxSteps',
};

/**
 * A stepper's options in a scenario: `refresh-multiple` gets the display's actual rate,
 * `rate-groups` renders at the frame limit.
 */
export function stepperOptionsFor(
  kind: StepperKind,
  settings: StepperSettings,
  scenario: Pick<Scenario, 'displayHz' | 'renderHz'>,
): StepperOptions {
  const { tickHz, maxSteps } = settings;
  const cap = STEP_CAP[kind];
  const options: Record<string, unknown> = { kind };
  if (STEPPER_INFO[kind].hasTickRate && tickHz !== undefined) options['tickRateHz'] = tickHz;
  if (cap !== undefined && maxSteps !== undefined) options[cap] = maxSteps;
  if (kind === 'refresh-multiple') options['assumedHz'] = scenario.displayHz;
  if (kind === 'rate-groups' && scenario.renderHz !== null) {
    options['renderHz'] = scenario.renderHz;
  }
  Object.assign(options, settings.options?.[kind]);
  // Not validated here: the stepper's own check names what is wrong.
  return options as unknown as StepperOptions;
}

/** The traces to keep of a stepper's run, besides the row. */
type ExtrasFor = (kind: StepperKind) => SimulationExtras;

/**
 * Runs steppers in sequence.
 *
 * @throws TypeError, RangeError naming an option that is wrong; EndlessLoopError for the first in
 * which no time
 *   would pass.
 */
export function compare(
  kinds: readonly StepperKind[],
  settings: StepperSettings = {},
  given: Partial<Scenario> = {},
  extrasFor: ExtrasFor = () => ({}),
): LabRow[] {
  return kinds.map(rowMaker(kinds, settings, given, extrasFor));
}

/**
 * The same for a comparison of everything available: steppers in which no time would pass are left
 * out.
 *
 * @throws TypeError, RangeError naming an option that is wrong.
 */
export function compareThoseThatEnd(
  kinds: readonly StepperKind[],
  settings: StepperSettings = {},
  given: Partial<Scenario> = {},
  extrasFor: ExtrasFor = () => ({}),
): { readonly rows: LabRow[]; readonly leftOut: StepperKind[] } {
  const rowOf = rowMaker(kinds, settings, given, extrasFor);
  const rows: LabRow[] = [];
  const leftOut: StepperKind[] = [];
  for (const kind of kinds) {
    try {
      rows.push(rowOf(kind));
    } catch (error) {
      if (!(error instanceof EndlessLoopError)) throw error;
      leftOut.push(kind);
    }
  }
  return { rows, leftOut };
}

function rowMaker(
  kinds: readonly StepperKind[],
  settings: StepperSettings,
  given: Partial<Scenario>,
  extrasFor: ExtrasFor,
): (kind: StepperKind) => LabRow {
  const scenario = resolveScenario(given);
  const common = kinds.length > 1 ? { tickHz: COMPARISON_TICK_HZ, ...settings } : settings;
  return (kind) => {
    const optionsFor = (displayHz: number): StepperOptions =>
      stepperOptionsFor(kind, common, { ...scenario, displayHz });
    const report = simulate(optionsFor(scenario.displayHz), scenario, extrasFor(kind));
    return { ...report, deterministic: isDeterministic(optionsFor, scenario) };
  };
}
