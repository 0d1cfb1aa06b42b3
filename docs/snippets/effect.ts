import { connect, type SimulationHandle } from 'betwixt';

const createWorker = () =>
  new Worker(new URL('./orbit.worker.ts', import.meta.url), { type: 'module' });

/** `useEffect(() => startSimulation(setSim, setError), [])` */
export function startSimulation(
  onReady: (sim: SimulationHandle) => void,
  onError: (error: unknown) => void,
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const connecting = connect(createWorker, { signal });
  connecting.then(onReady, (error: unknown) => signal.aborted || onError(error));
  return () => {
    controller.abort();
    connecting.then((sim) => sim.dispose()).catch(() => {});
  };
}
