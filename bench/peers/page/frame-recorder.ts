/** Records frames, as columns. */
import type { FrameLog } from '../engine/frame-log.js';

export interface RecordedFrame {
  readonly frame: number;
  readonly lateMs: number;
  readonly costMs: number;
  readonly ageMs: number;
  readonly singleX: number;
  readonly instancedX: number;
}

export class FrameRecorder {
  readonly log: FrameLog;
  readonly #columns: Record<keyof RecordedFrame, number[]>;

  constructor(displayHz: number) {
    this.#columns = { frame: [], lateMs: [], costMs: [], ageMs: [], singleX: [], instancedX: [] };
    this.log = { displayHz, ...this.#columns };
  }

  add({ frame, lateMs, costMs, ageMs, singleX, instancedX }: RecordedFrame): void {
    const columns = this.#columns;
    columns.frame.push(frame);
    columns.lateMs.push(lateMs);
    columns.costMs.push(costMs);
    columns.ageMs.push(ageMs);
    columns.singleX.push(singleX);
    columns.instancedX.push(instancedX);
  }
}
