import type { SimulationHandle } from 'betwixt';

type Game = SimulationHandle<Record<never, never>, { score: number }, { score: () => number }>;

export function followScore(sim: Game, show: (score: number) => void): void {
  sim.on('score', ({ value }) => show(value));
  sim.on('status', ({ kind }) => {
    if (kind !== 'jumped' && kind !== 'restarted' && kind !== 'replaced') return;
    sim.queries.score().then(show, (error: unknown) => console.error(error));
  });
}
