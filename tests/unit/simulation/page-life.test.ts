import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
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

test('a simulation pauses and resumes with its page', () => {
  const page = openDocument();
  const simulation = fakeSimulation();
  followPageLife(simulation, 'pause');
  expect(simulation.reported).toEqual([]);
  page.show(false);
  page.show(true);
  page.show(false);
  expect(simulation.reported).toEqual([
    'pause for hidden',
    'resume from hidden',
    'pause for hidden',
  ]);
});

test('a simulation starts paused on a page that is hidden already', () => {
  openDocument(true);
  const simulation = fakeSimulation();
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

describe.each(['pause', 'run'] as const)('with whenHidden %s', (policy) => {
  const PAUSE = 'pause for frozen';
  const RESUME = 'resume from frozen';
  let page: FakeDocument;
  let simulation: ReturnType<typeof fakeSimulation>;
  let end: () => void;

  beforeEach(() => {
    page = openDocument();
    simulation = fakeSimulation();
    end = followPageLife(simulation, policy);
  });

  test('a simulation pauses while its page is frozen', () => {
    page.report('freeze');
    expect(simulation.reported).toEqual([PAUSE]);
    page.report('resume');
    expect(simulation.reported).toEqual([PAUSE, RESUME]);
  });

  test('a simulation pauses while its page is in the back/forward cache', () => {
    page.dispatchToWindow('pagehide', true);
    expect(simulation.reported).toEqual([PAUSE]);
    page.dispatchToWindow('pageshow', true);
    expect(simulation.reported).toEqual([PAUSE, RESUME]);
  });

  test('a page that is stopped is no longer followed after the end', () => {
    end();
    page.report('freeze');
    page.report('resume');
    page.dispatchToWindow('pagehide', true);
    page.dispatchToWindow('pageshow', true);
    page.show(false);
    expect(simulation.reported).toEqual([]);
  });
});

test('a page that may run while it is hidden ignores such changes', () => {
  const page = openDocument(true);
  const simulation = fakeSimulation();
  followPageLife(simulation, 'run');
  page.show(true);
  page.show(false);
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
  page.show(false);
  page.show(true);
  page.report('freeze');
  page.report('resume');
  end();
  page.show(false);
  expect(simulation.reported).toEqual([
    'pause for hidden',
    'resume from hidden',
    'pause for frozen',
    'resume from frozen',
  ]);
});
