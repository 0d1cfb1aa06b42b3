/**
 * The worker that draws the demo's picture: it has the canvas, and has started the simulation itself. The page sees both
 * through {@link PictureService}.
 */
import { expose } from 'comlink';
import type { Replay, SimulationStatus } from '../../../src/render-main/index.js';
import { receiveCanvas } from '../../../src/render-main/offscreen/worker.js';
import { SettingsStore } from '../../../site/common/settings-store.js';
import type { Settings } from '../settings.js';
import { startSimulation, type DrawnSimulation } from '../start-simulation.js';
import type { Screen } from '../view/screen.js';
import { Picture } from './picture.js';
import { canvasSizeOf } from './picture-link.js';
import type { Answer, PictureMessage, PictureService } from './remote-protocol.js';
import { sendableError } from './sent-errors.js';

/** How often the page learns the statistics, in ms: more often than it shows them. */
const MIRROR_MS = 100;
/** Sounds of a frame; the page plays no more. */
const SOUNDS_PER_FRAME = 4;

const send = (...message: PictureMessage): void => {
  (globalThis as unknown as { postMessage(message: unknown): void }).postMessage(message);
};

let picture: Picture | undefined;
let store: SettingsStore<Settings> | undefined;
let simulation: DrawnSimulation | undefined;
let counters: ReturnType<DrawnSimulation['openCounters']> | undefined;
let isStill = false;
const replays: Replay[] = [];

const stage = receiveCanvas();

const service: PictureService = {
  open: (settings, still) =>
    answer(async () => {
      isStill = still;
      store = new SettingsStore(settings);
      picture = await openPicture(store);
    }),
  follow: (settings) => store?.update(settings),
  setStill: (still) => {
    isStill = still;
  },
  act: (name, ...args) => {
    (picture?.[name] as ((...given: unknown[]) => void) | undefined)?.apply(picture, args);
  },
  start: (settings) =>
    answer(async () => {
      simulation = await startSimulation(settings, () => send('engine'));
      // For the console of this worker.
      globalThis.betwixt = simulation;
      counters = simulation.openCounters();
      simulation.on('status', onStatus);
      (await stage).connectInputs(simulation.inputs);
      picture?.follow(simulation);
    }),
  end: () => picture?.follow(undefined),
  dispose: () =>
    answer(async () => {
      const ended = simulation;
      simulation = undefined;
      await ended?.dispose();
    }),
  call: (name, args) =>
    answer(() => (running()[name] as (...given: unknown[]) => unknown)(...args)),
  command: (name, args) => answer(() => callOf(running().commands, name)(...args)),
  query: (name, args) => answer(() => callOf(running().queries, name)(...args)),
  resetCounters: () => counters?.reset(),
  openReplay: (recording, options) =>
    answer(async () => replays.push(await running().openReplay(recording, options)) - 1),
  seekReplay: (number, tick) => answer(() => replays[number]?.seek(tick)),
  closeReplay: (number) => answer(() => replays[number]?.close()),
};
expose(service);
setInterval(mirror, MIRROR_MS);

function callOf(calls: object, name: string): (...args: readonly unknown[]) => unknown {
  return (calls as Record<string, (...args: readonly unknown[]) => unknown>)[name] as never;
}

function running(): DrawnSimulation {
  if (simulation === undefined) throw new Error('there is no simulation');
  return simulation;
}

/** What the page knows is up to date when it gets the answer. */
async function answer(work: () => unknown): Promise<Answer> {
  try {
    const value = await work();
    mirror();
    return { value };
  } catch (error) {
    mirror();
    return { error: sendableError(error) };
  }
}

function mirror(): void {
  if (simulation === undefined || counters === undefined) return;
  const { state, transport, tickRateHz, timeScale, interpolation, rewindRange } = simulation;
  const number = replays.length - 1;
  const replay = replays.at(-1);
  send('mirror', {
    state,
    transport,
    tickRateHz,
    timeScale,
    interpolation,
    rewindRange,
    stats: simulation.stats(),
    counts: counters.read(),
    replay: replay && { number, state: replay.state, report: replay.report },
  });
}

function onStatus(status: SimulationStatus): void {
  mirror();
  if (!('error' in status)) {
    send('status', status, undefined);
    return;
  }
  const { error, ...others } = status;
  send('status', others as SimulationStatus, sendableError(error));
}

async function openPicture(settings: SettingsStore<Settings>): Promise<Picture> {
  const given = await stage;
  const { canvas, element } = given;
  let sounds = 0;
  const sound = (...message: PictureMessage): void => {
    sounds += 1;
    if (sounds <= SOUNDS_PER_FRAME) send(...message);
  };
  const screen: Screen = {
    canvas,
    element,
    page: element.ownerDocument,
    size: canvasSizeOf(settings.current),
    get window() {
      const { width, height, pixelRatio } = given.size;
      return { width, height, ratio: pixelRatio };
    },
    get prefersStill() {
      return isStill;
    },
    overlay: {
      show: (on) => send('split', on),
      setMode: (mode) => send('mode', mode),
      // The page sees that itself.
      resize() {},
      dispose() {},
    },
    sounds: {
      beginFrame: () => {
        sounds = 0;
      },
      hit: (strength, radius) => sound('hit', strength, radius),
      ping: (number) => sound('ping', number),
      voices: 0,
    },
  };
  const opened = new Picture(screen, settings, {
    onDisplayFrame() {},
    onFrame: (frame) => {
      if (simulation === undefined) return;
      const { latest, lastAnimationErrorMs } = simulation;
      send('frame', { ...frame, alpha: latest.alpha, animationErrorMs: lastAnimationErrorMs });
    },
    onQuality: (text) => send('quality', text),
    onContext: (isLost) => send('context', isLost),
    onError: (error) => send('error', sendableError(error)),
    onFailure: (error) => send('failure', sendableError(error)),
  });
  let isFirst = true;
  given.onResize(() => {
    if (!isFirst) opened.resized();
    isFirst = false;
  });
  return opened;
}
