/** The options of a loop in a situation: given ones, derived ones, and its defaults. Pure. */
import { stepperOptionsFor } from '../engine/index.js';
import {
  resolveStepperOptions,
  type ResolvedStepperOptions,
  type StepperKind,
} from '../engine/loops/registry.js';
import { engineInput, type LabSettings } from './settings.js';

export function resolvedOptions<K extends StepperKind>(
  kind: K,
  settings: LabSettings,
): Extract<ResolvedStepperOptions, { readonly kind: K }> {
  const { scenario, steppers } = engineInput(settings);
  const { displayHz = 60, renderHz = null } = scenario;
  const resolved = resolveStepperOptions(
    stepperOptionsFor(kind, steppers, { displayHz, renderHz }),
  );
  return resolved as Extract<ResolvedStepperOptions, { readonly kind: K }>;
}
