/**
 * `npm run bench:rooms`: what rooms on a server and their clients cost, and whether they do what they promise. Figures over
 * their goals are marked; the command does not fail because of them, as a busy machine is not a defect of the code. It fails
 * if a client has another hash than its room.
 */
import { writeFileSync } from 'node:fs';
import { parseFlags } from '../scripts/cli/arguments.js';
import { EXIT_CODES } from '../scripts/cli/exit-codes.js';
import { runCommand } from '../scripts/cli/run-command.js';
import { requireWritable } from './cli/result-files.js';
import { thisComputer } from './cli/this-computer.js';
import { openArenaGame } from './rooms/arena-game.js';
import { readRoomsResult } from './rooms/result.js';
import { measureRollbacks, type RollbackCost } from './rooms/rollback-cost.js';
import { measureRoomLoad, type RoomLoad, type RoomLoadOptions } from './rooms/room-load.js';
import { GOALS, rowsOf } from './rooms/rows.js';
import { SeatedToy } from './rooms/seated-toy.js';
import { measureStream } from './rooms/stream-cost.js';
import { runSteadyClient } from './rooms/steady-client.js';
import { playSession, playSessions, toyGame, type SessionGame } from './rooms/virtual-session.js';
import { watchRoom } from './rooms/virtual-stream.js';

const HELP = `Measures rooms on a server, with 200 boxes in a pit, and their clients.

  npm run bench:rooms -- --json rooms.json

  --quick     in half a minute, with rough figures
  --json FILE the result, for scripts
  --help, -h  prints this
`;

const OPTIONS = {
  json: { type: 'string' },
  quick: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** A round trip of 100 ± 40 ms. */
const NETWORK = { delayMs: 30, jitterMs: 40, isOrdered: true } as const;
const WATCH_SETTLE_SECONDS = 30;
/** One in as many steps of a wrong simulation computes something else. */
const WRONG_STEPS = 10;

/** Boxes that touch and are awake are what most games have; the stirred ones are about the most that there can be. */
const ROLLBACK_PITS = [
  { build: 'simd', motion: 'awake' },
  { build: 'simd', motion: 'stirred' },
  { build: 'deterministic', motion: 'awake' },
  { build: 'deterministic', motion: 'stirred' },
] as const;

type RoomLoads = readonly Pick<
  RoomLoadOptions,
  'motion' | 'counts' | 'settleSeconds' | 'seconds'
>[];

const FULL = {
  streamSeconds: 30,
  watchSeconds: 600,
  rollbacks: 300,
  rounds: 2,
  sessions: 1000,
  wrongSessions: 20,
  engineSessions: 40,
  wrongEngineSessions: 5,
  clientSeconds: 600,
  loads: [
    { motion: 'awake', counts: [8, 16, ...countsFrom(20, 48, 4)], settleSeconds: 6, seconds: 6 },
    { motion: 'stirred', counts: [4, ...countsFrom(8, 24)], settleSeconds: 6, seconds: 6 },
  ] as RoomLoads,
};
const QUICK: typeof FULL = {
  streamSeconds: 3,
  watchSeconds: 60,
  rollbacks: 60,
  rounds: 1,
  sessions: 50,
  wrongSessions: 2,
  engineSessions: 5,
  wrongEngineSessions: 1,
  clientSeconds: 30,
  loads: [{ motion: 'awake', counts: [2, 4], settleSeconds: 2, seconds: 2 }],
};

function countsFrom(first: number, last: number, by = 1): readonly number[] {
  return Array.from({ length: (last - first) / by + 1 }, (_, index) => first + index * by);
}

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseFlags(
    { args: [...args], options: OPTIONS, strict: true },
    'npm run bench:rooms -- --help says how it is used',
  );
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT_CODES.done;
  }
  requireWritable({ json: values.json, html: undefined });
  const plan = values.quick === true ? QUICK : FULL;
  const machine = { ...thisComputer(), node: process.version };
  console.log(`${machine.cpu ?? 'unknown'}, ${machine.cores} cores, Node ${machine.node}`);

  note(`${plan.streamSeconds} s of a stream, and a schema of the same bodies`);
  const stream = await measureStream(plan.streamSeconds);
  note(`${plan.watchSeconds} s of virtual time over a network, twice`);
  const steady = await watch(plan.watchSeconds, 0);
  const lossy = await watch(plan.watchSeconds, 0.05);
  const rollbacks: RollbackCost[] = [];
  for (const pit of ROLLBACK_PITS) {
    rollbacks.push(
      ...(await measureRollbacks(pit, plan.rollbacks, plan.rounds, (round) =>
        note(`going back, ${pit.build}, ${pit.motion}: round ${round + 1} of ${plan.rounds}`),
      )),
    );
  }
  note(`${plan.clientSeconds} s of virtual time of a client that predicts`);
  const client = await runSteadyClient({ ...NETWORK, loss: 0 }, plan.clientSeconds);
  const sessions = await playAll(
    plan.sessions,
    plan.wrongSessions,
    toyGame(),
    toyGame(createWrongToy),
  );
  const [arena, wrongArena] = [openArenaGame(), openArenaGame(WRONG_STEPS)];
  const { engineSessions: count, wrongEngineSessions: wrongCount } = plan;
  const engineSessions = {
    ...(await playAll(count, wrongCount, arena, wrongArena)),
    returned: arena.copies.returned,
  };
  await Promise.all([arena.dispose(), wrongArena.dispose()]);
  const load: RoomLoad[] = [];
  for (const loads of plan.loads) {
    load.push(
      ...(await measureRoomLoad({
        ...loads,
        maxLatenessMs: GOALS.latenessMs,
        onLoad: ({ rooms, motion, latenessMs: { p99 } }) =>
          note(`${rooms} rooms in a process, ${motion}: late by ${p99.toPrecision(2)} ms at p99`),
      })),
    );
  }

  const result = readRoomsResult({
    format: 'betwixt-bench-rooms',
    version: 4,
    made: new Date().toISOString(),
    machine,
    isQuick: values.quick === true,
    stream,
    steady,
    lossy,
    rollbacks,
    sessions,
    engineSessions,
    client,
    load,
  });
  if (values.json !== undefined) {
    writeFileSync(values.json, `${JSON.stringify(result, undefined, 2)}\n`);
  }
  const rows = rowsOf(result);
  const width = Math.max(...rows.map(({ what }) => what.length));
  console.log();
  for (const { what, figure, goal, isMet } of rows) {
    const judged = isMet === undefined ? '' : ` (${goal}: ${isMet ? 'met' : 'MISSED'})`;
    console.log(`${what.padEnd(width)}  ${figure}${judged}`);
  }
  const all = [sessions.right, engineSessions.right, client, ...rollbacks];
  const isRight = all.every(({ desyncs }) => desyncs === 0);
  return isRight ? EXIT_CODES.done : EXIT_CODES.failed;
}

const note = (line: string): void => console.log(`  ${line}`);

async function watch(seconds: number, loss: number) {
  const network = { ...NETWORK, loss };
  const { frames, timing } = await watchRoom(network, seconds, WATCH_SETTLE_SECONDS);
  return { ...frames, delayMs: timing.delayMs, seconds };
}

async function playAll(
  count: number,
  wrongCount: number,
  game: SessionGame,
  wrongGame: SessionGame,
) {
  const seeds = Array.from({ length: count }, (_, index) => index + 1);
  const right = await playSessions(
    seeds,
    ({ sessions, hashes, desyncs }) => {
      if (sessions % 100 === 0 || sessions === count) {
        note(`${sessions} of ${count} sessions: ${desyncs} of ${hashes} hashes differ`);
      }
    },
    game,
  );
  let found = 0;
  for (const seed of seeds.slice(0, wrongCount)) {
    const { clients } = await playSession(seed, wrongGame);
    const seen = clients.filter(({ counters, isGone }) => counters !== undefined && !isGone);
    if (seen.every(({ counters }) => (counters?.desyncs ?? 0) > 0)) found += 1;
  }
  return { right, wrong: { sessions: wrongCount, found } };
}

/** As one that draws its own random numbers now and then. */
function createWrongToy(): SeatedToy {
  let steps = 0;
  return new SeatedToy(() => (++steps % WRONG_STEPS === 0 ? 1e-9 : 0));
}

process.exit(await runCommand('bench:rooms', main));
