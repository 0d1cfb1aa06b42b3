/** Connects panel, keys, pointer, driving and files with their actions. */
import { elementById } from '../../site/elements.js';
import { showNote } from '../../site/notices.js';
import type { SettingsStore } from '../../site/settings-store.js';
import { listenForKeys } from './keyboard.js';
import { connectPanel } from './panel.js';
import { downloadRecording, RecordingFiles } from './recording-files.js';
import { ReplayBanner } from './replay-banner.js';
import { RewindSlider } from './rewind-slider.js';
import type { Settings } from './settings.js';
import type { SimulationSession } from './simulation-session.js';
import { TimeTravel } from './time-travel.js';
import type { Picture } from './picture/picture.js';
import { Driving } from './view/driving.js';
import { isForPage } from './view/keyboard.js';

/** How long the page or the worker is blocked. */
const STALL_MS = 500;

/** The calls of the frame loop to the inputs. */
export interface ConnectedInputs {
  /** In each frame of the display. @param frameMs Its time stamp. */
  readonly poll: (frameMs: number) => void;
  /** With each frame that is shown. @param tick The tick that it shows. */
  readonly frame: (tick: number) => void;
}

export function connectInputs(
  store: SettingsStore<Settings>,
  picture: Picture,
  session: SimulationSession,
): ConnectedInputs {
  const foot = elementById('foot', HTMLElement);
  const reportError = (error: unknown): void => session.reportError(error);
  const driving = new Driving(foot);
  session.onStart((simulation) => driving.connect(simulation));
  session.onScene((description, change) => {
    if (change === 'built') driving.letGo();
    driving.setActive(description.isDrivable);
  });

  const letGo = (): void => {
    picture.letGo();
    driving.letGo();
  };
  const forget = (): void => {
    // At this moment of the run the simulation may still hold a body that the player does not.
    driving.forget();
    session.simulation?.commands.release().catch(reportError);
  };
  const travel = new TimeTravel(store, session, {
    onLeave: letGo,
    onLive: forget,
    onReplay: (shown) => banner.show(shown),
  });
  const banner = new ReplayBanner({
    togglePlay: () => void travel.togglePlay(),
    seek: (tick) => travel.seek(tick),
    takeOver: () => void travel.takeOver(),
    close: () => void travel.close(),
  });
  banner.setPaused(store.current.paused);
  store.onChange(({ paused }) => banner.setPaused(paused));
  const files = new RecordingFiles(foot, {
    onRecording: (recording) => void travel.showRecording(recording),
    onRefusal: reportError,
  });

  const togglePause = (): void => void travel.togglePlay();
  const step = (): void => session.step();
  const reset = (): void => void session.loadScene();
  connectPanel(store, {
    reset,
    shoot: () => picture.shoot(),
    pause: togglePause,
    step,
    save: () => void saveRecording(session, store),
    load: () => files.choose(),
    stallPage: () => blockPage(STALL_MS),
    stallWorker: () => session.stallWorker(STALL_MS),
    throw: () => session.fault('throw'),
    hang: () => session.fault('hang'),
    nan: () => session.fault('nan'),
  });
  const rewinding = new RewindSlider((tick, isLast) => travel.rewind(tick, isLast));
  listenForPictureKeys(picture);
  listenForKeys({
    ' ': togglePause,
    '.': step,
    r: reset,
    h: () => store.update({ hud: !store.current.hud }),
  });
  return {
    poll: (frameMs) => driving.poll(frameMs),
    frame: (tick) => {
      travel.frame(tick);
      if (session.simulation !== undefined) rewinding.frame(session.simulation);
      banner.frame(tick);
    },
  };
}

/** Keys that act in the picture, as the pointer does. */
function listenForPictureKeys(picture: Picture): void {
  addEventListener('keydown', (event) => {
    if (isForPage(event)) return;
    const { code, key, repeat } = event;
    // The page would scroll.
    if (code.startsWith('Arrow')) event.preventDefault();
    picture.press({ code, key, repeat });
  });
}

async function saveRecording(
  session: SimulationSession,
  store: SettingsStore<Settings>,
): Promise<void> {
  try {
    const recording = await session.simulation?.recording();
    if (recording === undefined) return;
    const { name, bytes } = downloadRecording(recording, store.current.scene);
    showNote(`Saved: ${name}, ${Math.ceil(bytes / 1000)} kB`);
  } catch (error) {
    session.reportError(error);
  }
}

/** Keeps the page from drawing and from everything else. */
function blockPage(durationMs: number): void {
  const endMs = performance.now() + durationMs;
  while (performance.now() < endMs);
}
