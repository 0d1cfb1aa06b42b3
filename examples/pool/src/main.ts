/** The page: connects, sends inputs, draws frames, and handles score and buttons. */
import { connect } from 'betwixt';
import { keyboardSource, pointerSource } from 'betwixt/inputs';
import { BodyBinding, planeCoordinates } from 'betwixt/three';
import { Plane, Vector3 } from 'three';
import type { simulation } from './sim.worker.js';
import type { Score } from './simulation.js';
import { createTable, isUpright } from './table.js';
import { turned } from './turned-arrows.js';

const KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Space'];
const isOnButton = ({ target }: Event) => target instanceof HTMLButtonElement;
const element = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
start().catch(showError);

async function start(): Promise<void> {
  const canvas = element<HTMLCanvasElement>('canvas');
  const { camera, scene, draw, onFrame } = createTable(canvas);

  const sim = await connect<typeof simulation>(
    () => new Worker(new URL('./sim.worker.ts', import.meta.url), { type: 'module' }),
    { capacity: 64, recording: { rewindSeconds: 60 } },
  );
  // For the browser's console: `sim.stats()`.
  Object.assign(globalThis, { sim });
  sim.on('score', ({ value }) => showScore(value));
  sim.on('status', (status) => {
    showError('error' in status ? status.error : undefined);
    if (status.kind !== 'jumped') return;
    sim.queries.score().then(showScore, showError);
    // While a replay is shown, it has its own inputs.
    if (sim.replay === undefined) sim.commands.releaseInputs().catch(showError);
  });

  const bodies = new BodyBinding();
  bodies.populate(sim, draw, { parent: scene });

  const coordinates = planeCoordinates(camera, new Plane(new Vector3(0, 1, 0)));
  const sources = [
    keyboardSource(turned(sim.inputs, isUpright), {
      keys: KEYS,
      preventDefault: true,
      ignore: isOnButton,
    }),
    pointerSource(sim.inputs, { target: canvas, coordinates }),
  ];
  onFrame((stamp) => {
    for (const source of sources) source.flush();
    bodies.update(sim.sample(stamp));
  });

  const [buttons, stop] = [element<HTMLFieldSetElement>('buttons'), element('stop')];
  const onClick = (id: string, jump: () => Promise<unknown>) => {
    element(id).onclick = async () => {
      buttons.disabled = true;
      await jump().catch(showError);
      buttons.disabled = false;
    };
  };
  onClick('new-game', () => sim.queries.newGame(Math.floor(Math.random() * 2 ** 32)));
  onClick('rewind', () => sim.seek(Math.max(sim.rewindRange.from, sim.rewindRange.to - 180)));
  onClick('replay', async () => {
    const replay = await sim.openReplay(sim.recording());
    stop.hidden = false;
    await replay.ended;
    stop.hidden = true;
    await sim.replay?.close();
    await sim.resume();
  });
  // Not `close`, which would continue from the tick that is shown.
  stop.onclick = () => sim.replay?.seek(sim.replay.recording.lastTick);
}

function showScore({ pocketed, shots }: Score): void {
  element('score').textContent = `Pocketed: ${pocketed} of 10. Shots: ${shots}`;
}

function showError(error: unknown): void {
  element('message').textContent = error === undefined ? '' : `The game failed: ${String(error)}`;
}
