/** The page: a menu of scenes, the controls, and the scene on one library or on both. */
import { Suspense, use, useEffect, useRef, useState, useTransition, type JSX } from 'react';
import { MODES, addressOf, readAddress, type Address, type Mode } from './address.js';
import { loadScene, type LibraryName } from './catalogue.js';
import { Failure } from './failure.js';
import { Keys } from './keys.js';
import { SCENES } from './scene-texts.js';
import { LIBRARY_TITLES, Side } from './side.js';

const MODE_TITLES: Readonly<Record<Mode, string>> = { ...LIBRARY_TITLES, both: 'Side by side' };
const SIDES: Readonly<Record<Mode, readonly LibraryName[]>> = {
  betwixt: ['betwixt'],
  rapier: ['rapier'],
  both: ['betwixt', 'rapier'],
};

/** Elsewhere there is neither a gallery nor a page that shows the source. */
const isOnSite = 'site' in document.documentElement.dataset;

export function Page(): JSX.Element {
  const [address, setAddress] = useState(() => readAddress(location.search));
  const [, startTransition] = useTransition();
  useEffect(() => {
    const follow = (): void => setAddress(readAddress(location.search));
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const go = (next: Address): void => {
    history.pushState(null, '', addressOf(next));
    setAddress(next);
  };
  return (
    <>
      <nav aria-label="Scenes">
        {isOnSite && <a href="./">All examples</a>}
        {SCENES.map(({ name, title }) => (
          <SceneLink
            key={name}
            title={title}
            address={{ ...address, name }}
            isCurrent={name === address.name}
            // The present scene stays until the next one is loaded.
            onGo={() => startTransition(() => go({ ...address, name }))}
          />
        ))}
      </nav>
      <main>
        <Failure key={address.name}>
          <Suspense fallback={<p>The scene loads …</p>}>
            <SceneView
              key={address.name}
              {...address}
              onMode={(mode) => go({ ...address, mode })}
            />
          </Suspense>
        </Failure>
      </main>
    </>
  );
}

interface SceneLinkProps {
  readonly title: string;
  readonly address: Address;
  readonly isCurrent: boolean;
  readonly onGo: () => void;
}

function SceneLink({ title, address, isCurrent, onGo }: SceneLinkProps): JSX.Element {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // A phone shows few of them.
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [isCurrent]);
  return (
    <a
      ref={link}
      href={addressOf(address)}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onGo();
      }}
    >
      {title}
    </a>
  );
}

function SceneView(props: Address & { readonly onMode: (mode: Mode) => void }): JSX.Element {
  const { name, mode, onMode } = props;
  const found = SCENES.find((known) => known.name === name);
  const scene = use(loadScene('betwixt', name));
  const hasPeer = found?.hasPeer ?? true;
  const [isPaused, setPaused] = useState(scene.physics?.paused ?? false);
  const [isDebug, setDebug] = useState(scene.physics?.debug ?? false);
  const [generation, setGeneration] = useState(0);
  const [steps, setSteps] = useState(0);
  const buttons: readonly Button[] = [
    { text: 'Reset', key: 'r', act: () => setGeneration((count) => count + 1) },
    { text: 'Pause', key: 'p', isOn: isPaused, act: () => setPaused((on) => !on) },
    { text: 'Step', key: '.', isOff: !isPaused, act: () => setSteps((count) => count + 1) },
    { text: 'Debug', key: 'g', isOn: isDebug, act: () => setDebug((on) => !on) },
  ];
  useKeys(buttons);
  useEffect(() => {
    document.title = `${found?.title} – scenes for React`;
  }, [found]);
  return (
    <>
      <header>
        <h1>{found?.title}</h1>
        <p>
          {found?.about} {isOnSite && <a href={`./source.html?example=react-${name}`}>Source</a>}
        </p>
        {hasPeer && <Switch mode={mode} onMode={onMode} />}
        <div role="group" aria-label="Controls">
          {buttons.map(({ text, key, isOn, isOff = false, act }) => (
            <button
              key={text}
              type="button"
              title={`${text} (key ${key.toUpperCase()})`}
              aria-pressed={isOn}
              disabled={isOff}
              onClick={act}
            >
              {text}
            </button>
          ))}
        </div>
      </header>
      <div className="sides">
        {SIDES[hasPeer ? mode : 'betwixt'].map((libraryName) => (
          <Failure key={libraryName}>
            <Suspense fallback={<p>The library loads …</p>}>
              <Side
                libraryName={libraryName}
                name={name}
                generation={generation}
                paused={isPaused}
                debug={isDebug}
                steps={steps}
              />
            </Suspense>
          </Failure>
        ))}
      </div>
      {scene.keys !== undefined && <Keys letters={scene.keys} />}
    </>
  );
}

interface Button {
  readonly text: string;
  readonly key: string;
  readonly isOn?: boolean;
  readonly isOff?: boolean;
  readonly act: () => void;
}

interface SwitchProps {
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
}

function Switch({ mode, onMode }: SwitchProps): JSX.Element {
  return (
    <fieldset>
      <legend>Library</legend>
      {MODES.map((known) => (
        <label key={known}>
          <input
            type="radio"
            name="library"
            value={known}
            checked={known === mode}
            onChange={() => onMode(known)}
          />
          {MODE_TITLES[known]}
        </label>
      ))}
    </fieldset>
  );
}

function useKeys(buttons: readonly Button[]): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const button = buttons.find(({ key }) => key === event.key.toLowerCase());
      if (button?.isOff !== true) button?.act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}
