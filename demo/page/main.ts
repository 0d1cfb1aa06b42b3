/** The demo page: reads the settings, makes a view, starts the simulation, and draws its frames. */
import { NotIsolatedError } from '../../src/render-main/index.js';
import { keepAddress } from '../../site/address.js';
import { connectBar } from './bar.js';
import { elementById } from '../../site/elements.js';
import { showFault } from './fault-panel.js';
import { connectInputs } from './inputs.js';
import { LoadingScreen } from './loading-screen.js';
import { showNotice, showToast } from '../../site/notices.js';
import { Measurements } from './measurements.js';
import { hasOpening, setUpOpening } from './opening.js';
import type { Picture } from './picture/picture.js';
import { parseSettings, serialiseSettings, type Settings } from './settings.js';
import { SettingsStore } from '../../site/settings-store.js';
import { type SessionEvents, SimulationSession } from './simulation-session.js';
import { createStatusNotifier } from './status-notices.js';

const loading = new LoadingScreen();

try {
  const store = readSettings();
  const opening = hasOpening(location.search)
    ? setUpOpening(store, () => void session.loadScene())
    : undefined;
  keepAddress(store, serialiseSettings);
  const measurements = new Measurements();
  connectBar(store);
  let picture: Picture | undefined;
  const session = createSession(store, (simulation) => picture?.follow(simulation));
  const drawing = draw();
  // The worker loads at the same time as three.js.
  await Promise.all([drawing, session.start(drawing)]);

  async function draw(): Promise<void> {
    const { Picture } = await import('./picture/picture.js');
    const made = new Picture(elementById('canvas', HTMLCanvasElement), store, {
      // Frames come only when the simulation runs, and then all of these are there.
      onDisplayFrame: (frameMs) => inputs.poll(frameMs),
      onFrame: ({ tick, isDrawn, scenes }) => {
        inputs.frame(tick);
        if (isDrawn) measurements.drew();
        // The frame may be of the scene before.
        if (!session.hasScene || scenes !== shown) return;
        session.frameHold.frameDrawn();
        showPage();
        opening?.(tick);
      },
      onQuality: (text) => measurements.setQuality(text),
      onError: (error) => session.reportError(error),
      onFailure: failForGood,
    });
    picture = made;
    const watchStatus = createStatusNotifier(store);
    session.onStart((simulation) => {
      watchStatus(simulation);
      measurements.follow(simulation);
    });
    let shown = 0;
    session.onScene((description, change) => {
      shown += 1;
      made.show(description, change);
    });
    session.frameHold.onHold = (isHeld) => made.hold(isHeld);
    const inputs = connectInputs(store, made, session);
  }
} catch (error) {
  failForGood(error);
}

function readSettings(): SettingsStore<Settings> {
  const { settings, problems } = parseSettings(location.search);
  if (problems.length > 0) showNotice(problems.map(({ message }) => message));
  return new SettingsStore(settings);
}

function createSession(
  store: SettingsStore<Settings>,
  onSimulation: SessionEvents['onSimulation'],
): SimulationSession {
  const busy = elementById('busy', HTMLParagraphElement);
  const session = new SimulationSession(store, {
    onSimulation,
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

/** The first frame is visible. */
function showPage(): void {
  if (loading.isShown) loading.finish();
}

function failForGood(error: unknown): void {
  loading.abandon();
  showFault(error);
}
