import { expect, onTestFinished, test, vi } from 'vitest';
import { followPageLife, setRemotePage } from '../../../src/render-main/session/pauses.js';
import { FakeDocument, openDocument } from '../../fixtures/fake-document.js';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

/** A simulation that records the calls it receives. */
function fakeSimulation() {
  const reported: string[] = [];
  return {
    reported,
    pauseFor: async (reason: string) => void reported.push(`pause for ${reason}`),
    resumeFrom: async (reason: string) => void reported.push(`resume from ${reason}`),
  };
}

/** A page is hidden, shown, frozen and resumed. */
function comeAndGo(page: FakeDocument): void {
  page.show(false);
  page.show(true);
  page.report('freeze');
  page.report('resume');
}
const WHEN_FROZEN = ['pause for frozen', 'resume from frozen'];

test.each([
  ['pause', ['pause for hidden', 'resume from hidden']],
  ['run', []],
] as const)(
  'with whenHidden %s, a simulation pauses while its page is hidden, frozen or in the back/forward cache, as long as it follows it',
  (policy, whenHidden) => {
    const page = openDocument();
    const simulation = fakeSimulation();
    const end = followPageLife(simulation, policy);
    const reported = (): string[] => {
      comeAndGo(page);
      page.report('pagehide');
      page.report('pageshow');
      return simulation.reported.splice(0);
    };
    expect(reported()).toEqual([...whenHidden, ...WHEN_FROZEN, ...WHEN_FROZEN]);
    end();
    expect(reported()).toEqual([]);
  },
);

test('a simulation starts paused on a page that is hidden already, unless it may run there', () => {
  openDocument(true);
  const simulation = fakeSimulation();
  followPageLife(simulation, 'run');
  expect(simulation.reported).toEqual([]);
  followPageLife(simulation, 'pause');
  expect(simulation.reported).toEqual(['pause for hidden']);
});

test('a page that is hidden when its simulation has failed leaves no unhandled rejection', async () => {
  const page = openDocument();
  const simulation = { ...fakeSimulation(), pauseFor: () => Promise.reject(new Error('failed')) };
  followPageLife(simulation, 'pause');
  page.show(false);
  // An unhandled rejection would fail the run.
  await new Promise((resolve) => setImmediate(resolve));
  expect(simulation.reported).toEqual([]);
});

test('a simulation without a document follows no page', () => {
  const simulation = fakeSimulation();
  followPageLife(simulation, 'pause');
  expect(simulation.reported).toEqual([]);
});

test('a simulation that is disposed no longer follows its page', async () => {
  const page = openDocument();
  const { time, simulation } = await connectInVirtualTime();
  const listeners = () => page.listeners + page.window.listeners;
  expect(listeners()).toBe(5);
  await time.until(simulation.dispose());
  expect(listeners()).toBe(0);
});

test('a worker that draws follows the page whose canvas it has', () => {
  const page = new FakeDocument();
  // As in a worker; listeners of its own events are never called.
  vi.stubGlobal('addEventListener', page.window.addEventListener.bind(page.window));
  setRemotePage(page);
  // Other tests share this thread.
  onTestFinished(() => setRemotePage(undefined));
  const simulation = fakeSimulation();
  const end = followPageLife(simulation, 'pause');
  comeAndGo(page);
  end();
  page.show(false);
  const whenHidden = ['pause for hidden', 'resume from hidden'];
  expect(simulation.reported).toEqual([...whenHidden, ...WHEN_FROZEN]);
});
