/** The lab's engine: game loops in virtual time. Pure; no clock, no DOM, no Node. */
export {
  BODIES,
  ballAt,
  drawnBall,
  drawnFlyer,
  drawnTop,
  flyerAt,
  shownMs,
  topAt,
  type DrawnTime,
} from './bodies.js';
export {
  compare,
  compareThoseThatEnd,
  stepperOptionsFor,
  type StepperSettings,
} from './compare.js';
export { type Cost } from './cost.js';
export { isDeterministic } from './determinism.js';
export { EndlessLoopError } from './endless-loop.js';
export { Recorder } from './recorder.js';
export { turnsPerSecond, type LabRow, type RunReport, type SecondCounts } from './report.js';
export {
  DEFAULT_SCENARIO,
  INPUT_MODES,
  resolveScenario,
  type Hitch,
  type InputMode,
  type Scenario,
} from './scenario.js';
export {
  drawnShot,
  SHOT_FLIGHT_MS,
  SHOT_IN_WALL_MS,
  shotAt,
  Shots,
  type ShotFate,
} from './shots.js';
export { simulate, type SimulationExtras } from './simulate.js';
export { Trace, type FrameSpan, type IdleSpan, type TraceSpan, type UpdateSpan } from './trace.js';
export { World } from './world.js';
