/** The lab's engine: game loops in virtual time. Pure; no clock, no DOM, no Node. */
export {
  BALL_PERIOD_MS,
  BODIES,
  ballAt,
  drawnBall,
  drawnFlyer,
  drawnTop,
  flyerAt,
  shownMs,
  topAt,
  type BodyName,
  type DrawnTime,
} from './bodies.js';
export {
  COMPARISON_TICK_HZ,
  compare,
  compareThoseThatEnd,
  stepperOptionsFor,
  type StepperSettings,
} from './compare.js';
export { type Cost } from './cost.js';
export { isDeterministic, PROBE_DISPLAYS_HZ, PROBE_SECONDS } from './determinism.js';
export { EndlessLoopError } from './endless-loop.js';
export { leadMsOf } from './lead.js';
export { Recorder, type FrameTimes } from './recorder.js';
export {
  turnsPerSecond,
  type ErrorSummary,
  type LabRow,
  type RunReport,
  type SecondCounts,
  type WatchdogReport,
} from './report.js';
export {
  DEFAULT_SCENARIO,
  INPUT_MODES,
  resolveScenario,
  type Hitch,
  type InputMode,
  type PlayerInput,
  type Scenario,
} from './scenario.js';
export {
  drawnShot,
  SHOT_FLIGHT_MS,
  SHOT_IN_WALL_MS,
  SHOT_PERIOD_MS,
  shotAt,
  Shots,
  type ShotFate,
  type ShotState,
} from './shots.js';
export { simulate, type SimulationExtras } from './simulate.js';
export {
  DEFAULT_TRACE_LIMIT,
  Trace,
  type FrameSpan,
  type IdleSpan,
  type PassSpan,
  type TraceOptions,
  type TraceSpan,
  type UpdateSpan,
} from './trace.js';
export { World } from './world.js';
