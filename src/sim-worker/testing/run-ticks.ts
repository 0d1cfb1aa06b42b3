/** Runs a simulation for a test: tick by tick, without a worker, a page or a clock. */
import type { CommandMap, JournalItem } from '../../shared/protocol/control-protocol.js';
import type { EventMap, BuiltInEvents, UserEvent } from '../../shared/events/simulation-event.js';
import type { Simulation } from '../api/simulation.js';
import { HeldAssets } from '../api/assets.js';
import { RunJournal } from '../run/journal.js';
import { ReplayScript } from '../run/replay.js';
import { SimulationRun } from '../run/simulation-run.js';
import {
  requireCommandNames,
  resolveRun,
  type RunTicksOptions,
  type TickState,
} from './run-options.js';
import { ReadEventRecord } from '../../shared/events/event-record.js';
import type {
  Recording,
  RecordingEntry,
  RunDescription,
  SavedState,
} from '../../shared/recording/recording.js';
import { SentEvents } from '../api/mirrored-run.js';
import { slotOf } from '../../shared/memory/body-meta.js';

/**
 * An event with its name: a built-in or a custom one.
 *
 * @typeParam E The simulation's custom events.
 */
export type TickEvent<E extends EventMap = EventMap> =
  | {
      [Name in keyof BuiltInEvents]: { readonly name: Name } & BuiltInEvents[Name];
    }[keyof BuiltInEvents]
  | { [Name in keyof E & string]: { readonly name: Name } & UserEvent<E[Name]> }[keyof E & string];

/** The outcome of a command. */
export interface CommandAnswer {
  /** Number of the tick in which it ran. */
  readonly tick: number;
  /** The command. */
  readonly name: string;
  /** The returned value. */
  readonly value: unknown;
  /** The thrown error; undefined if there is none. The run continues in either case. */
  readonly error: unknown;
}

/**
 * The result of a run: the state after its last tick, and what happened on the way.
 *
 * @typeParam E The simulation's custom events.
 */
export interface TickRun<E extends EventMap = Record<never, never>> extends TickState {
  /** All reported events, in order. */
  readonly events: readonly TickEvent<E>[];
  /** Events lost because the queue was full: it has the default size and is emptied after every tick. */
  readonly lostEvents: number;
  /** The outcomes of the commands, in the order in which they ran. */
  readonly answers: readonly CommandAnswer[];
  /** The hashes requested by `hashEveryTicks`, and that of the last tick, by tick. */
  readonly hashes: ReadonlyMap<number, string>;
  /** Everything that determined the run, with these hashes: for `replay` and `encodeRecording`. */
  readonly recording: Recording;
  /**
   * The events with a name, in order.
   *
   * @param name A built-in or custom event.
   */
  eventsOf<Name extends keyof BuiltInEvents>(name: Name): readonly BuiltInEvents[Name][];
  eventsOf<Name extends keyof E & string>(name: Name): readonly UserEvent<E[Name]>[];
}

/**
 * Runs a simulation for a number of ticks, in Node or elsewhere, at full speed: no worker, no page, no clock. All
 * inputs are given in advance, so the same call reaches the same state, bit for bit.
 *
 *     const { poses, hash } = await runTicks(createSimulation(), {
 *       ticks: 120,
 *       inputs: [{ tick: 60, kind: 'keydown', code: keyCode('Space') }],
 *       commands: [{ tick: 1, name: 'setSpeed', args: [2] }],
 *     });
 *
 * @param simulation A new one: its `init` is called, and finally its `dispose`.
 * @param options What determines the run.
 * @throws TypeError, RangeError (as a rejection) naming the invalid option, before any tick runs.
 * @throws RecordingFormatError if `start` is not a saved state.
 * @throws whatever the simulation throws, except in its commands.
 * @throws Error if a state cannot be saved, if `start` is from another engine, or if the run restarts.
 */
export async function runTicks<
  C extends CommandMap,
  E extends EventMap = Record<never, never>,
  Q extends CommandMap = CommandMap,
>(simulation: Simulation<C, E, Q>, options: RunTicksOptions<C>): Promise<TickRun<E>> {
  const resolved = resolveRun(options);
  const script = new ReplayScript(resolved.entries, resolved.lastTick);
  const log = new TestLog();
  const answers: CommandAnswer[] = [];
  const run: SimulationRun = new SimulationRun({
    simulation: simulation as Simulation,
    options: resolved,
    events: log.sent.reporter,
    assets: new HeldAssets(resolved.assets),
    journal: new RunJournal((items) => log.add(items), resolved),
    // The run ends with the tick after.
    onRestart: () => {},
    onCommand: (command, outcome) => {
      if (command.kind === 'batch') return;
      const { name } = command;
      answers.push({ tick: run.tick + 1, name, value: undefined, error: undefined, ...outcome });
    },
  });
  await run.initialize();
  try {
    requireCommandNames(options, simulation.commands);
    const { start, saveEveryTicks = 0, onTick } = options;
    if (saveEveryTicks > 0 && !run.canSave) {
      throw new Error('saveEveryTicks needs a simulation that has save() and restore()');
    }
    if (start !== undefined) run.restore(start);
    const state = stateOf(run);
    while (run.tick < resolved.lastTick) {
      run.runTick(resolved.dt, script.tickInputsOf(run.tick + 1));
      log.drain();
      onTick?.(state);
      if (run.restarts > 0) throw new Error(STARTED_OVER);
    }
    log.drain();
    const { tick, poses, tags, values, hash } = state;
    const { events } = log;
    const { assets } = resolved;
    const recording = {
      ...log.recordingOf(run.description, start, tick, hash),
      ...(assets.length > 0 && { assets }),
    };
    return {
      tick,
      poses,
      tags,
      values,
      hash,
      events: events as unknown as TickRun<E>['events'],
      lostEvents: log.sent.reporter.lost,
      answers,
      hashes: log.hashes,
      recording,
      eventsOf: (name: string) => events.filter((event) => event.name === name) as never[],
    };
  } finally {
    run.dispose();
  }
}

const STARTED_OVER =
  'the run was started over by restart(): runTicks runs one run, and is given what it is built from as setup';

/** Computed only when read: poses and hashes take time. */
function stateOf(run: SimulationRun): TickState {
  const { bodies } = run;
  return {
    get tick() {
      return run.tick;
    },
    get poses() {
      return new Map(bodies.ids().map((id) => [id, bodies.poseAt(slotOf(id))]));
    },
    get tags() {
      return new Map(bodies.ids().map((id) => [id, bodies.tag(id) ?? null]));
    },
    get values() {
      return run.values.slice();
    },
    get hash() {
      return run.hash();
    },
  };
}

/** The output of a run: its recording, and its events from a queue of the default size. */
export class TestLog {
  readonly sent = new SentEvents();
  /** In the order in which they were reported. */
  readonly events: { readonly name: string; readonly tick: number }[] = [];
  /** By tick. */
  readonly hashes = new Map<number, string>();
  readonly #entries: RecordingEntry[] = [];
  readonly #states: SavedState[] = [];
  readonly #record = new ReadEventRecord();

  add(items: readonly JournalItem[]): void {
    for (const item of items) {
      // There is only one run, kept from its beginning, and its description is known.
      if (item.kind === 'restart' || item.kind === 'kept') continue;
      if (item.kind === 'state') this.#states.push(item.state);
      else this.#entries.push(item);
      if (item.kind === 'hash') this.hashes.set(item.tick, item.hash);
    }
  }

  /** Reads all events in the queue. */
  drain(): void {
    this.sent.collect();
    for (const { type, words } of this.sent.take() ?? []) {
      this.#record.copy(words);
      this.events.push({
        name: this.#record.nameOf(type),
        ...this.#record.toEvent(type, words.length),
      });
    }
  }

  /** @param hash Of the state after the last tick. */
  recordingOf(
    run: RunDescription,
    start: SavedState | undefined,
    lastTick: number,
    hash: string,
  ): Recording {
    const isNew = !this.hashes.has(lastTick);
    // A recording begins with tick 0, which has no hash.
    if (isNew && lastTick > (start?.tick ?? 0)) this.add([{ kind: 'hash', tick: lastTick, hash }]);
    return { run, start, lastTick, entries: this.#entries, states: this.#states };
  }
}
