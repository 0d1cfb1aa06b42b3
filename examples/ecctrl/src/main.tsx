/** The page of the course: keys, a camera that follows, and the library of the address. */
import { Canvas, useFrame, useThree } from '@react-three/fiber';
import { watchContext } from 'betwixt/three';
import { Suspense, useLayoutEffect, useMemo, useRef, useState, type JSX } from 'react';
import { createRoot } from 'react-dom/client';
import type { Vector3Like } from 'three';
import { furnish } from '../../stage/stage.js';
import { Course as Ours, type CourseProps } from './course.js';
import type { Driver, Key } from './driver.js';
import { ScriptPlayer, type Measured } from './script.js';
import { LANES, START_Y } from './lanes.js';

export interface CoursePage {
  readonly driver: Driver;
  /** Plays the script. */
  play(): Promise<readonly Measured[]>;
}
declare global {
  var ecctrlCourse: CoursePage | undefined;
}

const KEYS: Readonly<Record<string, readonly Key[]>> = {
  KeyW: ['forward', 'drive'],
  ArrowUp: ['forward', 'drive'],
  KeyS: ['backward', 'reverse'],
  ArrowDown: ['backward', 'reverse'],
  KeyA: ['left', 'steerLeft'],
  ArrowLeft: ['left', 'steerLeft'],
  KeyD: ['right', 'steerRight'],
  ArrowRight: ['right', 'steerRight'],
  ShiftLeft: ['run'],
  Space: ['jump', 'brake'],
};

const isPeer = new URLSearchParams(location.search).get('library') === 'rapier';
const Course: (props: CourseProps) => JSX.Element = isPeer
  ? (await import('./course.js?peer')).Course
  : Ours;

/** The page's buttons call its methods. */
class Page implements CoursePage {
  readonly driver: Driver = { keys: new Set() };
  isDriving = false;
  #script: ScriptPlayer | undefined;
  #done: ((measured: readonly Measured[]) => void) | undefined;

  play(): Promise<readonly Measured[]> {
    this.#script = new ScriptPlayer(this.driver);
    return new Promise((resolve) => {
      this.#done = resolve;
    });
  }

  goTo(lane: keyof typeof LANES): void {
    this.isDriving = false;
    const { walker } = this.driver;
    walker?.body.setTranslation({ x: LANES[lane], y: START_Y, z: 2 }, true);
    walker?.body.setLinvel({ x: 0, y: 0, z: 0 }, true);
  }

  frame(delta: number): void {
    if (this.#script === undefined || this.#script.frame(delta)) return;
    this.#done?.(this.#script.measured);
    this.#script = undefined;
  }

  press(code: string, isDown: boolean): boolean {
    const keys = KEYS[code];
    if (keys === undefined) return false;
    for (const key of keys) {
      const ofCar = ['drive', 'reverse', 'steerLeft', 'steerRight', 'brake'].includes(key);
      if (isDown && ofCar === this.isDriving) this.driver.keys.add(key);
      else this.driver.keys.delete(key);
    }
    return true;
  }
}

/** The stage, and a camera that looks along −z, so that the keys have the same direction in every lane. */
function Follow({ page }: { readonly page: Page }): null {
  const scene = useThree((state) => state.scene);
  const lightAt = useRef<(target: Vector3Like) => void>(undefined);
  useLayoutEffect(() => {
    const stage = furnish(scene, 20);
    // The course is in the sky: what leaves it falls.
    stage.ground.visible = false;
    lightAt.current = stage.lightAt;
    return stage.dispose;
  }, [scene]);
  useFrame(({ camera }, delta) => {
    page.frame(delta);
    const { walker, car } = page.driver;
    const body = page.isDriving ? car?.body : walker?.body;
    if (body === undefined) return;
    const { x, y, z } = body.translation();
    const far = page.isDriving ? 2 : 1;
    camera.position.set(x, y + 3 * far, z + 6 * far);
    camera.rotation.set(-0.35, 0, 0);
    lightAt.current?.({ x, y, z });
  });
  return null;
}

function App(): JSX.Element {
  const page = useMemo(() => {
    const made = new Page();
    addEventListener('keydown', (event) => {
      if (made.press(event.code, true)) event.preventDefault();
    });
    addEventListener('keyup', (event) => made.press(event.code, false));
    globalThis.ecctrlCourse = made;
    return made;
  }, []);
  const [measured, setMeasured] = useState<readonly Measured[]>();
  const [isPlaying, setPlaying] = useState(false);
  const play = async (): Promise<void> => {
    setPlaying(true);
    setMeasured(await page.play());
    setPlaying(false);
  };
  return (
    <>
      <header>
        <h1>ecctrl on {isPeer ? '@react-three/rapier' : 'betwixt'}</h1>
        <p>
          <kbd>W</kbd> <kbd>A</kbd> <kbd>S</kbd> <kbd>D</kbd>, <kbd>shift</kbd> to run,{' '}
          <kbd>space</kbd> to jump or brake.{' '}
          <a href={isPeer ? '?' : '?library=rapier'}>On the other library</a>
        </p>
        <div role="group" aria-label="Places">
          {(Object.keys(LANES) as (keyof typeof LANES)[]).map((lane) => (
            <button key={lane} type="button" onClick={() => page.goTo(lane)}>
              {lane}
            </button>
          ))}
          <button type="button" onClick={() => (page.isDriving = true)}>
            car
          </button>
          <button type="button" disabled={isPlaying} onClick={() => void play()}>
            Play the script
          </button>
        </div>
      </header>
      <main>
        <Canvas
          flat
          shadows="percentage"
          dpr={[1, 2]}
          camera={{ fov: 50, far: 300 }}
          onCreated={({ gl }) => void watchContext(gl.domElement)}
        >
          <Follow page={page} />
          <Suspense>
            <Course driver={page.driver} />
          </Suspense>
        </Canvas>
      </main>
      {measured !== undefined && <Table measured={measured} />}
    </>
  );
}

function Table({ measured }: { readonly measured: readonly Measured[] }): JSX.Element {
  return (
    <table>
      <thead>
        <tr>
          <th>leg</th>
          <th>went, m</th>
          <th>rose, m</th>
          <th>car, m/s</th>
        </tr>
      </thead>
      <tbody>
        {measured.map(({ name, moved, rose, topSpeed }) => (
          <tr key={name}>
            <th>{name}</th>
            <td>{moved.toFixed(3)}</td>
            <td>{rose.toFixed(3)}</td>
            <td>{topSpeed.toFixed(2)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const element = document.querySelector('#page');
if (element === null) throw new Error('this page has no element #page');
createRoot(element).render(<App />);
