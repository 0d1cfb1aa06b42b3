/** The page of the lab: reads the settings, runs the loops, and plays back what they did. */
import { showCards } from './cards.js';
import { ChartInput } from './chart-input.js';
import { Chart } from './chart.js';
import { SIDES, SIDE_NAMES } from './colours.js';
import { setUpControls } from './controls.js';
import { describeFrame } from './describe.js';
import { keepAddress } from '../../site/common/address.js';
import { elementById, setText } from '../../site/common/elements.js';
import { noticeTopic, showNotice } from '../../site/common/notices.js';
import { SettingsStore } from '../../site/common/settings-store.js';
import { lateHitchNotice } from './late-hitches.js';
import { Playback } from './playback.js';
import { setUpPresets } from './preset-bar.js';
import { PRESETS, type PresetName } from './presets.js';
import { Results } from './results.js';
import { parseSettings, presetSettings, serialiseSettings, type LabSettings } from './settings.js';
import { StagePanel } from './stage.js';
import { setUpTableScroll } from './table-scroll.js';
import { neighbourFrame } from './timeline.js';
import { Transport } from './transport.js';
import { following, within, type ViewRange } from './view-range.js';

/** Length of the range that the chart shows at first, in ms. */
const DEFAULT_VIEW_MS = 1000;
/**
 * Where a page that does not play by itself is paused unless its preset says otherwise, in ms from
 * the beginning.
 */
const STILL_MS = 700;
/** Numbers change no more often than they can be read, in ms. */
const READING_INTERVAL_MS = 250;
/** Settings that change the view of a run, not the run. */
const LOOKING: ReadonlySet<keyof LabSettings> = new Set(['speed', 'paused', 'at', 'view']);

const { settings: initial, problems } = parseSettings(location.search);
if (problems.length > 0) showNotice(problems.map(({ message }) => message));
const notifyLate = noticeTopic();
const store = new SettingsStore(initial);
keepAddress(store, serialiseSettings);
const prefersStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
const playback = new Playback(startOf(initial), initial.speed, !(initial.paused ?? prefersStill));
playback.setEnd(initial.seconds * 1000);
// A paused frame from the beginning would show bodies that have not moved.
playback.seek(playback.isPlaying ? startOf(initial) : stillOf(initial));
playback.startMs = firstMs(initial);

let range = defaultRange(initial);
let isFollowing = true;
const follow = elementById('follow', HTMLInputElement);
const chart = new Chart(elementById('chart', HTMLCanvasElement));
const panels = SIDES.map((side) => new StagePanel(side, store));
const results = new Results(({ displayHz, vsync, hitches, seconds }) => {
  chart.show({ timelines: results.timelines, displayHz, vsync, hitches });
  playback.setEnd(seconds * 1000);
  range = within(range, playback.endMs);
});
const transport = new Transport(playback, { setPlaying, restart, setSpeed, seek });
const input = new ChartInput(chart, {
  range: () => range,
  endMs: () => playback.endMs,
  atMs: () => playback.atMs,
  look,
  seek,
  stepFrame,
});

setUpPresets(store, choose);
setUpControls(store);
setUpTableScroll();
follow.addEventListener('change', () => {
  isFollowing = follow.checked;
});
store.onChange((settings, changed) => {
  playback.speed = settings.speed;
  if ([...changed].every((name) => LOOKING.has(name))) return;
  notifyLate(lateHitchNotice(settings));
  showCards([settings.left, settings.right], settings.table);
  results.request(settings);
});
notifyLate(lateHitchNotice(initial));
showCards([initial.left, initial.right], initial.table);
results.request(initial);
requestAnimationFrame(drawFrame);

let lastReadingMs = 0;
let drawnRange = range;

function drawFrame(nowMs: number): void {
  // Nothing plays before the first results.
  playback.advance(nowMs, results.hasTimelines);
  const { atMs, isPlaying } = playback;
  if (isFollowing && isPlaying) range = following(range, atMs, playback.endMs);
  const hasNewReading = nowMs - lastReadingMs > READING_INTERVAL_MS;
  if (hasNewReading) lastReadingMs = nowMs;
  for (const side of SIDES) {
    const panel = panels[side];
    if (panel === undefined) continue;
    const timeline = results.timelines[side];
    panel.draw(timeline, atMs);
    const row = results.rowOf(side);
    if (hasNewReading || !isPlaying) panel.showReading(timeline, atMs, row);
  }
  chart.draw(range, atMs, input.pointerMs);
  if (range !== drawnRange) input.refresh();
  drawnRange = range;
  transport.show();
  requestAnimationFrame(drawFrame);
}

function setPlaying(isPlaying: boolean): void {
  playback.isPlaying = isPlaying;
  if (isPlaying) setFollowing(true);
  store.update({ paused: !isPlaying, at: isPlaying ? undefined : whereNow() });
}

function setSpeed(speed: number): void {
  store.update({ speed });
}

function restart(): void {
  seek(playback.startMs);
}

function seek(ms: number): void {
  playback.seek(ms);
  range = following(range, playback.atMs, playback.endMs);
  setFollowing(true);
  if (!playback.isPlaying) store.update({ at: whereNow() });
}

/** Seeks to the next frame that one of the two shows, and announces it. */
function stepFrame(direction: 1 | -1): void {
  setPlaying(false);
  const found = SIDES.map((side) => ({
    side,
    frame: neighbourFrame(results.timelines[side], playback.atMs, direction),
  })).filter(({ frame }) => frame !== undefined);
  const next = found.toSorted(
    (a, b) => direction * ((a.frame?.displayedMs ?? 0) - (b.frame?.displayedMs ?? 0)),
  )[0];
  if (next?.frame === undefined) return;
  seek(next.frame.displayedMs);
  const index = results.timelines[next.side].frames.indexOf(next.frame);
  const text = `${SIDE_NAMES[next.side]}. ${describeFrame(next.frame, index)}`;
  setText(elementById('spoken', HTMLParagraphElement), text);
}

function look(next: ViewRange): void {
  range = next;
  setFollowing(false);
  const view = [round(next.fromMs), round(next.toMs)] as const;
  // A paused page keeps its place, whatever the range shows.
  store.update(playback.isPlaying ? { view } : { view, at: whereNow() });
}

function setFollowing(isOn: boolean): void {
  isFollowing = isOn;
  follow.checked = isOn;
}

/** Shows a preset from its beginning. */
function choose(name: PresetName): void {
  store.update({ ...presetSettings(name), paused: store.current.paused });
  const settings = store.current;
  playback.setEnd(settings.seconds * 1000);
  playback.startMs = firstMs(settings);
  playback.seek(playback.isPlaying ? startOf(settings) : stillOf(settings));
  range = defaultRange(settings);
  setFollowing(true);
}

/** Where the preset of a situation begins. */
function firstMs({ preset }: LabSettings): number {
  return presetSettings(preset).view?.[0] ?? 0;
}

/** A moment at which a paused page shows something. */
function stillOf(settings: LabSettings): number {
  const { at, view, preset } = settings;
  const { stillAtMs = startOf(settings) + STILL_MS } = PRESETS[preset];
  const isSeen = view === undefined || (stillAtMs >= view[0] && stillAtMs <= view[1]);
  return at ?? (isSeen ? stillAtMs : startOf(settings));
}

function startOf({ at, view }: LabSettings): number {
  return at ?? view?.[0] ?? 0;
}

function defaultRange(settings: LabSettings): ViewRange {
  const endMs = settings.seconds * 1000;
  const { view } = settings;
  if (view !== undefined) return within({ fromMs: view[0], toMs: view[1] }, endMs);
  return following(within({ fromMs: 0, toMs: DEFAULT_VIEW_MS }, endMs), startOf(settings), endMs);
}

function whereNow(): number {
  return round(playback.atMs);
}

/** Microseconds are precise enough, and keep addresses short. */
function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
