/** Measures one contestant on request of a script: `globalThis.peers`. A page is for one run. */
import type { ContestantName } from '../engine/contestants.js';
import type { FaultRepeat, PeerRepeat } from '../engine/figures.js';
import type { BenchScene } from '../../scenes/index.js';
import { ContestantRun } from './contestant-run.js';

export interface RunRequest {
  readonly contestant: ContestantName;
  readonly displayHz: number;
  readonly scene: BenchScene;
}

let run: ContestantRun | undefined;
const running = (): ContestantRun => {
  if (run === undefined) throw new Error('nothing was opened');
  return run;
};

const api = {
  /** @param request A {@link RunRequest} as JSON. Frames run from now on. */
  async open(request: string): Promise<void> {
    const { contestant, displayHz, scene } = JSON.parse(request) as RunRequest;
    run = await ContestantRun.open(contestant, displayHz, scene);
  },
  /** Lets frames run, unmeasured. */
  warmUp: (seconds: number): Promise<void> => running().wait(seconds),
  measure: (seconds: number): Promise<Omit<PeerRepeat, 'busyShare'>> => running().measure(seconds),
  faults: (recoverySeconds?: number): Promise<FaultRepeat> => running().faults(recoverySeconds),
  close: (): Promise<void> => running().close(),
};

declare global {
  var peers: typeof api;
}
globalThis.peers = api;
