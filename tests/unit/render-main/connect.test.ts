/** The types that `connect<typeof simulation>` makes of a simulation. Nothing runs. */
import { expectTypeOf, test } from 'vitest';
import { connect } from '../../../src/render-main/index.js';
import { rapierSimulation, type RapierTools } from '../../../src/rapier/rapier.js';
import { runSimulation } from '../../../src/sim-worker/index.js';

const define = () =>
  runSimulation({
    init() {},
    step() {},
    commands: { spawn: (count: number) => count > 0 },
    queries: { count: () => 1, find: async (_name: string) => [1, 2] as number[] },
    events: {} as { goal: { team: number } },
  });
/** The events that the page may listen to. */
type EventsOf<F> = F extends () => { readonly events?: infer E } ? E : never;

type Simulation = ReturnType<typeof define>;

const open = () => connect<Simulation>(() => null as never);
type Handle = Awaited<ReturnType<typeof open>>;

const declare = () =>
  runSimulation({
    events: {} as { goal: { team: number } },
    init({ events }) {
      events.emit('goal', { team: 1 });
      // @ts-expect-error: there is no such event.
      events.emit('gaol', { team: 1 });
      // @ts-expect-error: the value of another type.
      events.emit('goal', 1);
    },
    step() {},
  });

const annotated = () =>
  rapierSimulation(({ context }: RapierTools<{ goal: number }>) => {
    context.events.emit('goal', 1);
    // @ts-expect-error: there is no such event.
    context.events.emit('gaol', 1);
    return { commands: { kick: (_force: number) => {} } };
  });

const unannotated = () =>
  rapierSimulation(({ context }) => {
    context.events.emit('anything', 1);
    return { events: {} as { goal: number } };
  });

test('the simulation emits what it declares, and the page receives it', () => {
  expectTypeOf<EventsOf<typeof declare>>().toEqualTypeOf<{ goal: { team: number } }>();
  expectTypeOf<EventsOf<typeof annotated>>().toEqualTypeOf<{ goal: number }>();
  expectTypeOf<EventsOf<typeof unannotated>>().toEqualTypeOf<{ goal: number }>();
});

test('commands come from commands, queries from queries, events from events', () => {
  expectTypeOf<Handle['commands']>().toEqualTypeOf<{
    readonly spawn: (count: number) => Promise<boolean>;
  }>();
  expectTypeOf<Handle['queries']>().toEqualTypeOf<{
    readonly count: () => Promise<number>;
    readonly find: (_name: string) => Promise<number[]>;
  }>();
  const listen = ({ on }: Handle) => {
    on('goal', ({ value }) => expectTypeOf(value.team).toEqualTypeOf<number>());
    // @ts-expect-error: there is no such event.
    on('gaol', () => {});
  };
  expectTypeOf(listen).parameter(0).toEqualTypeOf<Handle>();
});
