/** A simulation that draws nothing, with the inspector: tests access it through `globalThis.inspected`. */
import {
  connect,
  type ConnectOptions,
  type SimulationHandle,
} from '../../../src/render-main/index.js';
import {
  showInspector,
  type Inspector,
  type InspectorOptions,
} from '../../../src/inspector/index.js';
import type { Toy, ToyEvents } from '../../fixtures/toy-simulation.js';

type Run = SimulationHandle<NonNullable<Toy['commands']>, ToyEvents, NonNullable<Toy['queries']>>;

const inspected = {
  simulation: undefined as unknown as Run,
  inspector: undefined as unknown as Inspector,
  /** The arguments of `onFold`. */
  folds: [] as boolean[],
  /** Keys that reached the application. */
  keys: [] as string[],

  /** Shows the inspector before the simulation has started. */
  async start(options: ConnectOptions = {}, shown: InspectorOptions = {}): Promise<void> {
    const starting = connect<Toy>(
      () => new Worker(new URL('./toy.worker.ts', import.meta.url), { type: 'module' }),
      { capacity: 64, ...options },
    );
    inspected.inspector = showInspector(starting, {
      onFold: (isFolded) => inspected.folds.push(isFolded),
      ...shown,
    });
    inspected.simulation = await starting;
    const draw = (frameMs: number): void => {
      inspected.simulation.sample(frameMs);
      requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
  },
};
document.addEventListener('keydown', ({ code }) => inspected.keys.push(code));

type InspectedPage = typeof inspected;

declare global {
  var inspected: InspectedPage;
}

globalThis.inspected = inspected;
