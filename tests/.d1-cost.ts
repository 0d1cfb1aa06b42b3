/* paired A/B: with and without events, in heap 1000; ticks interleaved */
import { BodyRegistry } from '../src/sim-worker/body-registry.ts';
import { EventReporter } from '../src/sim-worker/event-reporter.ts';
import { loadRapier } from '../src/sim-worker/engines/rapier.ts';
import { Stage } from '../demo/simulation/stage.ts';
import { createEventQueue } from './fixtures/event-queue.ts';
const rapier = await loadRapier('simd');
const med = (a: number[]) => a.toSorted((x, y) => x - y)[a.length >> 1]!;
const sum = (a: number[]) => a.reduce((x, y) => x + y, 0);
for (const [name, n] of [
  ['heap', 1000],
  ['tower', 240],
  ['tower', 1200],
  ['marbles', 120],
] as const) {
  const make = (watch: boolean) => {
    const bodies = new BodyRegistry(4200);
    const q = createEventQueue(1 << 15);
    const stage = new Stage(
      rapier,
      bodies,
      { name, bodies: n, seed: 1 },
      new EventReporter(q.writer),
    );
    stage.open();
    if (!watch) {
      // takes watching away: no flags, no queue, no drain
      stage.physics.world.forEachCollider((c) => c.setActiveEvents(0));
      stage.physics.eventQueue = undefined;
      const kit = stage as never as { _k: unknown };
    }
    return { stage, q, times: [] as number[] };
  };
  const A = make(true),
    B = make(false);
  for (let t = 0; t < 720; t++) {
    for (const s of t % 2 ? [A, B] : [B, A]) {
      const t0 = performance.now();
      s.stage.step(1 / 60);
      s.times.push(performance.now() - t0);
      s.q.writer;
      s.q.reader as never as { drain?: () => void };
      const r = s.q.reader as never as { read?: unknown };
    }
  }
  console.log(
    name,
    n,
    'watched ms/tick',
    (sum(A.times) / 720).toFixed(3),
    'unwatched',
    (sum(B.times) / 720).toFixed(3),
    'ratio',
    (sum(A.times) / sum(B.times)).toFixed(3),
    'median of ratios',
    med(A.times.map((a, i) => a / B.times[i]!)).toFixed(3),
  );
}
