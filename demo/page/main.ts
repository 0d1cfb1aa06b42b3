/** The demo page: reads the settings, makes a view, starts the simulation, and draws its frames. */
import { FrameLimiter, NotIsolatedError } from '../../src/render-main/index.js';
import type { SceneDescription } from '../contract/scene-contract.js';
import { setUpAbout } from './about.js';
import { keepAddress } from '../../site/common/address.js';
import { followCoveredPart } from './covered-part.js';
import { elementById } from '../../site/common/elements.js';
import { showFault } from './fault-panel.js';
import { runFrameLoop } from './frame-loop.js';
import { connectInputs } from './inputs.js';
import { LoadingScreen } from './loading-screen.js';
import { showCondition, showNotice, showToast } from '../../site/common/notices.js';
import { isHudShown, onBreakpointChange } from './breakpoints.js';
import { Measurements } from './measurements.js';
import { QualityAdapter } from './quality/adapt-quality.js';
import { LEVELS, levelOf, lookOf } from './quality/levels.js';
import { parseSettings, serialiseSettings, type Settings } from './settings.js';
import { SettingsStore } from '../../site/common/settings-store.js';
import { SimulationSession, type SceneChange } from './simulation-session.js';
import { watchSplit } from './split-hint.js';
import { createStatusNotifier } from './status-notices.js';
import { DemoView } from './view/demo-view.js';

const loading = new LoadingScreen();

try {
  setUpAbout();
  const store = readSettings();
  const view = createView(store.current);
  const session = createSession(store);
  const watchStatus = createStatusNotifier(store);
  const measurements = new Measurements((isShown) => store.update({ hud: isShown }));
  session.onStart((simulation) => {
    watchStatus(simulation);
    measurements.follow(simulation);
    view.effects.connect(simulation);
  });
  session.onScene((description, change) => show(view, description, change));
  const quality = new QualityAdapter(store, view, (text) => {
    measurements.setQuality(text);
  });
  session.onScene((_, change) => quality.sceneChanged(change));
  addEventListener('resize', () => quality.resized());
  const limiter = new FrameLimiter();
  followSettings(store, view, measurements, limiter);
  const inputs = connectInputs(store, view, session);
  followCoveredPart((covered) => view.setCovered(covered));
  const watchFrame = watchSplit(() => store.current);
  runFrameLoop({
    session,
    view,
    limiter,
    onDisplayFrame: (frameMs) => {
      inputs.poll(frameMs);
      quality.frame(frameMs);
    },
    onSampled: inputs.frame,
    onRedrawn: () => {
      quality.drew();
      measurements.drew();
    },
    onDrawn: (frameMs) => {
      showPage();
      watchFrame(frameMs);
    },
    onFailure: failForGood,
  });
  await session.start();
} catch (error) {
  failForGood(error);
}

function readSettings(): SettingsStore<Settings> {
  const { settings, problems } = parseSettings(location.search);
  if (problems.length > 0) showNotice(problems.map(({ message }) => message));
  const store = new SettingsStore(settings);
  keepAddress(store, serialiseSettings);
  return store;
}

function createView({ width, height, quality, shadows }: Settings): DemoView {
  const size = width === undefined || height === undefined ? undefined : { width, height };
  let endCondition: (() => void) | undefined;
  const view = new DemoView({
    canvas: elementById('canvas', HTMLCanvasElement),
    look: lookOf(levelOf(quality) ?? LEVELS.length, shadows),
    size,
    onContextLost: () => {
      endCondition ??= showCondition('The graphics context was lost and is being restored.');
    },
    onContextRestored: () => {
      endCondition?.();
      endCondition = undefined;
    },
  });
  addEventListener('resize', () => view.resize());
  return view;
}

function createSession(store: SettingsStore<Settings>): SimulationSession {
  const busy = elementById('busy', HTMLParagraphElement);
  const session = new SimulationSession(store, {
    onStage: (stage) => loading.enter(stage),
    onBusy: (work) => {
      busy.hidden = work === undefined;
      busy.textContent = work ?? '';
    },
    onCommandError: (error) => {
      // The first scene itself may be what failed: the panel offers others.
      showPage();
      showToast(error);
    },
    onFailure: (error) => {
      loading.abandon();
      const reload = { label: 'Load again', run: () => location.reload() };
      const restart = { label: 'Restart', run: () => void session.restart() };
      showFault(error, error instanceof NotIsolatedError ? reload : restart);
    },
  });
  return session;
}

/** The camera returns to its start for a new view and for a scene that was not shown before. */
function show(view: DemoView, description: SceneDescription, change: SceneChange): void {
  if (change === 'same-run') view.showMoment(description);
  else view.show(description, change === 'moved' && description.name === view.description?.name);
}

/** Applies the settings that concern drawing, now and when they change. */
function followSettings(
  store: SettingsStore<Settings>,
  view: DemoView,
  measurements: Measurements,
  limiter: FrameLimiter,
): void {
  const apply = (settings: Settings): void => {
    const { frameLimit, split, halfRate } = settings;
    const limitHz = frameLimit === 'off' ? undefined : frameLimit;
    if (limiter.limitHz !== limitHz) limiter.setLimit(limitHz);
    view.setSplit(split);
    view.setInterlace(halfRate === 'off' ? undefined : halfRate);
    measurements.setShown(isHudShown(settings));
  };
  apply(store.current);
  store.onChange(apply);
  onBreakpointChange(() => apply(store.current));
}

/** The first frame is visible. */
function showPage(): void {
  if (loading.isShown) loading.finish();
}

function failForGood(error: unknown): void {
  loading.abandon();
  showFault(error);
}
