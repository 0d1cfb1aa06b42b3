/** A scene on one library: a canvas with the camera, the light, and the scene in `<Physics>`. */
import { Canvas, useThree, type RootState } from '@react-three/fiber';
import type { RapierContext } from 'betwixt/react';
import { watchContext } from 'betwixt/three';
import type { World, WorldHandle } from 'betwixt/world';
import { StrictMode, use, useEffect, useRef, useState, type JSX } from 'react';
import { type Library, type LibraryName, loadLibrary, loadScene } from './catalogue.js';
import { PanelContext, PanelStore, Panels } from './common/panel.js';
import { Meter } from './meter.js';
import { SCENES } from './scene-texts.js';
import { View } from './view.js';

/** A side, for tests and the browser's console. */
export interface RunningSide {
  /** State of fiber and three.js. */
  readonly state: RootState;
  /** The result of `useRapier`. */
  readonly context: RapierContext;
  /** Only for betwixt, when the worker runs. */
  world?: World;
  simulation?: WorldHandle;
}

declare global {
  var reactScene: Partial<Record<LibraryName, RunningSide>>;
}
globalThis.reactScene = {};

export interface SideProps {
  readonly libraryName: LibraryName;
  readonly name: string;
  /** Another number begins another world. */
  readonly generation: number;
  readonly paused: boolean;
  readonly debug: boolean;
  /** How often *Step* was pressed. */
  readonly steps: number;
}

export const LIBRARY_TITLES: Readonly<Record<LibraryName, string>> = {
  betwixt: 'betwixt',
  rapier: '@react-three/rapier',
};

export function Side(props: SideProps): JSX.Element {
  const { libraryName, name, generation, paused, debug, steps } = props;
  const library = use(loadLibrary(libraryName));
  const { Content, camera, physics, isLocal = false } = use(loadScene(libraryName, name));
  const output = useRef<HTMLOutputElement>(null);
  const [panels] = useState(() => new PanelStore());
  const { Physics } = library;
  return (
    <figure className="side">
      <PanelContext value={panels}>
        <Canvas
          flat={camera !== undefined}
          shadows="percentage"
          dpr={[1, 2]}
          role="group"
          aria-label={SCENES.find((scene) => scene.name === name)?.about}
          camera={{ fov: 45, far: 400 }}
          onCreated={({ gl }) => void watchContext(gl.domElement)}
        >
          <StrictMode>
            {camera !== undefined && <View {...camera} key={name} />}
            <Meter output={output} />
            <Physics
              {...physics}
              {...(isLocal && libraryName === 'betwixt' && { transport: 'local' })}
              key={`${name} ${generation}`}
              paused={paused}
              debug={debug}
              onReady={(world, simulation) => {
                const running = globalThis.reactScene[libraryName];
                if (running !== undefined) Object.assign(running, { world, simulation });
              }}
            >
              <Bridge library={library} libraryName={libraryName} steps={steps} />
              <Content />
            </Physics>
          </StrictMode>
        </Canvas>
      </PanelContext>
      <div className="panel" data-testid="panel">
        <Panels store={panels} />
      </div>
      <figcaption>
        {LIBRARY_TITLES[libraryName]} <output ref={output} />
      </figcaption>
    </figure>
  );
}

interface BridgeProps {
  readonly library: Library;
  readonly libraryName: LibraryName;
  readonly steps: number;
}

/** Has what is around `<Physics>` reach into it. */
function Bridge({ library, libraryName, steps }: BridgeProps): null {
  const context = library.useRapier();
  const get = useThree((three) => three.get);
  useEffect(() => {
    const { reactScene } = globalThis;
    reactScene[libraryName] = { ...reactScene[libraryName], state: get(), context };
  }, [libraryName, get, context]);
  useEffect(() => () => void delete globalThis.reactScene[libraryName], [libraryName]);
  const step = useRef(context.step);
  useEffect(() => {
    step.current = context.step;
  }, [context.step]);
  const stepsDone = useRef(steps);
  useEffect(() => {
    for (; stepsDone.current < steps; stepsDone.current++) void step.current(1 / 60);
  }, [steps]);
  return null;
}
