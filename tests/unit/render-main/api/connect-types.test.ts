/** What `connect<typeof simulation>` makes of the types of a simulation. Nothing runs. */
import { expectTypeOf, test } from 'vitest';
import { connect } from '../../../../src/render-main/index.js';
import { runSimulation } from '../../../../src/sim-worker/index.js';

const define = () =>
  runSimulation({
    init() {},
    step() {},
    commands: { spawn: (count: number) => count > 0 },
    queries: { count: () => 1, find: async (_name: string) => [1, 2] as number[] },
    events: {} as { goal: { team: number } },
  });
type Simulation = ReturnType<typeof define>;

const open = () => connect<Simulation>(() => null as never);
type Handle = Awaited<ReturnType<typeof open>>;

test('commands come from commands, queries from queries, events from events', () => {
  expectTypeOf<Handle['commands']>().toEqualTypeOf<{
    readonly spawn: (count: number) => Promise<boolean>;
  }>();
  expectTypeOf<Handle['queries']>().toEqualTypeOf<{
    readonly count: () => Promise<number>;
    readonly find: (_name: string) => Promise<number[]>;
  }>();
  expectTypeOf<ReturnType<Handle['commandsWith']>>().toEqualTypeOf<Handle['commands']>();
  expectTypeOf<ReturnType<Handle['queriesWith']>>().toEqualTypeOf<Handle['queries']>();
  const listen = ({ on }: Handle) => {
    on('goal', ({ value }) => expectTypeOf(value.team).toEqualTypeOf<number>());
    // @ts-expect-error: there is no such event.
    on('gaol', () => {});
  };
  expectTypeOf(listen).parameter(0).toEqualTypeOf<Handle>();
});
