/** The page: joins a room, shows its simulation in one of the two modes, sends inputs, and draws. */
import type { Room } from '@colyseus/sdk';
import { connectRoom } from 'betwixt/colyseus';
import { keyboardSource, pointerSource, type InputSource } from 'betwixt/inputs';

import { keepAddress } from '../../../site/common/address.js';
import { elementById } from '../../../site/common/elements.js';
import { showCondition, showNote, showNotice, showToast } from '../../../site/common/notices.js';
import { SettingsStore } from '../../../site/common/settings-store.js';
import { Arena } from './arena.js';
import { clearScore, showScore, fallText, outSeats, scoreOf } from './heads-up.js';
import { endingOf, join, rejoin, JoinError } from './join.js';
import { rowsOf, TrafficMeter, SilenceWatch } from './measurements.js';
import { buildPanel, lockModes, showMeasurements } from './panel.js';
import { askAbout, askName, showProgress } from './problem.js';
import { parseSettings, serialiseSettings, type Mode, type Settings } from './settings.js';
import type { createSumo } from './simulation.js';
import { SlowRoom } from './slow-room.js';

type Sumo = ReturnType<typeof createSumo>;
const connect = (room: SlowRoom, mode: Mode) =>
  connectRoom<Sumo>(room, {
    confirmedPoses: true,
    ...(mode === 'stream'
      ? { mode }
      : {
          mode,
          createWorker: () =>
            new Worker(new URL('./sim.worker.ts', import.meta.url), { type: 'module' }),
        }),
  });
type Handle = Awaited<ReturnType<typeof connect>>;

declare global {
  /** For the browser's console: `sumo.room`. Undefined while there is none. */
  var sumo: Handle | undefined;
}

const KEYS = 'ArrowLeft ArrowRight ArrowUp ArrowDown KeyW KeyA KeyS KeyD'.split(' ');
const MEASURE_EVERY_MS = 500;
/** Then the page says what it waits for. */
const PATIENCE_MS = 5000;
/** A room answers a client that asks for its state once a second. */
const MODE_LOCK_MS = 1100;

const { settings, problems } = parseSettings(location.search);
const store = new SettingsStore<Settings>(settings);
const canvas = elementById('canvas', HTMLCanvasElement);
const arena = new Arena(canvas);
const server = settings.server ?? new URL('/rooms/0', location.href).href;

const meter = new TrafficMeter();
const silence = new SilenceWatch();
let removeSilence: (() => void) | undefined;
let sources: readonly InputSource[] = [];
let slowRoom: SlowRoom | undefined;

if (problems.length > 0) showNotice(problems.map(({ message }) => message));
if (!crossOriginIsolated) {
  showNotice([
    'This page is not cross-origin isolated, so the worker sends its states as messages, a little later. ' +
      'npm run rooms sends the headers; browsers also want https, or localhost.',
  ]);
}
buildPanel(store);
keepAddress(store, serialiseSettings);
store.onChange((current, changed) => {
  applyConditions(current);
  if (changed.has('mode')) void changeMode();
});
applyConditions(store.current);
drawFrames();
setInterval(measure, MEASURE_EVERY_MS);
play().catch(showToast);

/** From joining a room to its end, and again. */
async function play(): Promise<never> {
  let room = await waitFor('Looking for your seat …', rejoin(server));
  for (;;) {
    try {
      room ??= await find();
      await playIn(room);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      showProgress(undefined);
      const offer = error instanceof JoinError ? error.offer : 'found';
      const choice = await askAbout(error.message, offer);
      if (choice === 'other' || offer === 'found') store.update({ room: undefined });
    }
    room = undefined;
  }
}

async function find(): Promise<Room> {
  showProgress(undefined);
  if (store.current.name === undefined) store.update({ name: await askName() });
  const { name = '', room } = store.current;
  return await waitFor('Joining a room …', join(server, name, room));
}

/** Something may be there that never answers. */
async function waitFor<T>(text: string, answer: Promise<T>): Promise<T> {
  showProgress(text);
  const timer = setTimeout(
    showProgress,
    PATIENCE_MS,
    `${text} ${server} has not answered yet. Is that the address of a server of rooms, and does it run?`,
  );
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}

/** Until the room is left. @throws Error then. */
async function playIn(room: Room): Promise<void> {
  let removeNote: (() => void) | undefined;
  let watch: ReturnType<typeof setInterval> | undefined;
  const ended = new Promise<never>((_, reject) => {
    room.onLeave((code) => {
      removeNote?.();
      void endingOf(code, room, server).then(reject);
    });
    watch = setInterval(() => {
      const error = globalThis.sumo?.room.error;
      // Otherwise the room is left, which says more.
      if (error !== undefined && room.connection.isOpen) reject(error);
    }, MEASURE_EVERY_MS);
    room.onError((_code, message) => {
      // While it connects again, only its end says whether that was possible.
      const isLost = removeNote !== undefined;
      if (message !== undefined && !isLost) reject(new Error(`The server says: ${message}.`));
    });
  });
  room.onDrop(() => {
    removeNote ??= showCondition(
      'The connection is lost. Trying again: your seat is kept for ten seconds.',
    );
  });
  room.onReconnect(() => {
    removeNote?.();
    removeNote = undefined;
    showNote('You are back in your seat.');
    // The room does not know of keys that were released in the meantime.
    globalThis.sumo?.commands.release().catch(() => {});
  });
  slowRoom = new SlowRoom(room);
  applyConditions(store.current);
  store.update({ room: room.roomId });
  try {
    await Promise.race([showMode(), ended]);
    canvas.focus({ preventScroll: true });
    await ended;
  } finally {
    clearInterval(watch);
    slowRoom = undefined;
    await hide();
    // A connection that is lost for good would bring no answer.
    if (room.connection.isOpen) await room.leave();
  }
}

/** Shows the room in the chosen mode. */
async function showMode(): Promise<void> {
  const { mode } = store.current;
  if (slowRoom === undefined) return;
  showProgress(mode === 'predict' ? 'Loading the engine …' : 'Waiting for the room …');
  lockModes(true);
  try {
    const sim = await connect(slowRoom, mode);
    globalThis.sumo = sim;
    arena.show(sim);
    sim.on('fall', ({ value }) => showNote(fallText(value, namesOf(sim))));
    sources = [
      keyboardSource(sim.inputs, { keys: KEYS, preventDefault: true, ignore: isInPanel }),
      pointerSource(sim.inputs, { target: canvas, coordinates: arena.coordinates, wheel: false }),
    ];
    showProgress(undefined);
  } finally {
    setTimeout(lockModes, MODE_LOCK_MS, false);
  }
}

async function changeMode(): Promise<void> {
  if (globalThis.sumo === undefined) return;
  await hide();
  await showMode();
}

async function hide(): Promise<void> {
  const { sumo: sim } = globalThis;
  for (const source of sources) source.dispose();
  sources = [];
  arena.clear();
  clearScore();
  globalThis.sumo = undefined;
  await sim?.dispose();
}

function drawFrames(): void {
  const draw = (stamp: number): void => {
    requestAnimationFrame(draw);
    const { sumo: sim } = globalThis;
    for (const source of sources) source.flush();
    const frame = sim?.sample(stamp);
    const values = frame?.newestValues;
    arena.draw(frame, values === undefined ? [] : outSeats(values));
    if (sim !== undefined && values !== undefined) {
      showScore(scoreOf(values, namesOf(sim), sim.room.seat));
    }
  };
  requestAnimationFrame(draw);
}

function namesOf({ bodies }: Handle): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const look of bodies.values()) if (look.shape === 'ball') names.set(look.seat, look.name);
  return names;
}

function measure(): void {
  const { sumo: sim } = globalThis;
  noteSilence(sim !== undefined && slowRoom?.connection.isOpen === true);
  if (sim === undefined || slowRoom === undefined) return;
  showMeasurements(rowsOf(sim.room, meter.rates(slowRoom.traffic, performance.now())));
}

/** @param isPlaying Whether the server sends packets. */
function noteSilence(isPlaying: boolean): void {
  const isSilent = isPlaying && silence.isSilent(slowRoom?.traffic.inMessages ?? 0);
  if (!isSilent) {
    removeSilence?.();
    removeSilence = undefined;
  } else {
    removeSilence ??= showCondition(
      'The server says nothing, although the connection is open. It is busy, or your network is gone.',
    );
  }
}

function applyConditions({ latency, jitter, loss, ghost }: Settings): void {
  arena.hasGhosts = ghost;
  if (slowRoom === undefined) return;
  slowRoom.conditions = { latencyMs: latency, jitterMs: jitter, lossShare: loss / 100 };
}

/** The panel's sliders have arrow keys, too. */
function isInPanel({ target }: Event): boolean {
  return target instanceof Element && target.closest('input, button, summary, dialog') !== null;
}

addEventListener('pointerdown', learn, { once: true, capture: true });
addEventListener('keydown', learn, { once: true });

/** Who plays needs no hint. */
function learn(): void {
  setTimeout(() => elementById('hint', HTMLParagraphElement).classList.add('learnt'), 8000);
}
