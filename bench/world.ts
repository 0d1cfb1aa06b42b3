/**
 * `npm run bench:world`: what a world that the page makes costs, compared in one run with the same scene in a hand-written
 * simulation. A figure over its goal is marked; the command does not fail, because a busy machine is not a defect of the
 * code.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseFlags } from '../scripts/cli/arguments.js';
import { EXIT_CODES } from '../scripts/cli/exit-codes.js';
import { runCommand } from '../scripts/cli/run-command.js';
import { printTable } from '../scripts/cli/table.js';
import {
  FEW,
  measureCreation,
  measureIdleFrames,
  measureImpulses,
  measureTicks,
  type Compared,
} from './world-measurements.js';
import { BODIES, HEAP, POINTS } from './world-scene.js';

/** Of 60 frames: a minute at 60 Hz. */
const BLOCKS = 60;

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseFlags({
    args: [...args],
    options: { json: { type: 'string' }, quick: { type: 'boolean' } },
    strict: true,
  });
  const isQuick = values.quick === true;
  const [processor] = cpus();
  const machine = {
    cpu: processor?.model ?? 'unknown processor',
    cores: cpus().length,
    node: process.version,
  };
  console.log(`${machine.cpu}, ${machine.cores} cores, Node ${machine.node}\n`);
  const creation = await measureCreation(isQuick ? 1 : 15);
  const impulses = await measureImpulses(isQuick ? 1 : BLOCKS);
  const idle = await measureIdleFrames(isQuick ? 1 : 30);
  const tick = await measureTicks(isQuick ? 1 : 40);
  const goals = {
    tick: tick.ratio <= 1.1,
    idleFrame: idle.us.world - idle.us.other <= 0.5,
    impulses: impulses.callsMs.world <= 0.5,
    creation: creation.pageMs.world <= 30,
  };
  printTable([
    ['', 'world', 'hand-written', 'ratio', 'goal'],
    row(`a tick of a heap of ${HEAP}, all threads`, tick, 'ms', isMet(goals.tick, '1.1 times')),
    row(
      `a frame with ${BODIES} handles, nothing written`,
      idle.us,
      'µs',
      isMet(goals.idleFrame, '0.5 µs more'),
    ),
    row('  its garbage', idle.bytes, 'bytes'),
    row(`  and, as the other, with ${FEW} handles`, idle.fewUs, 'µs'),
    row(`${BODIES} impulses: the calls`, impulses.callsMs, 'ms', isMet(goals.impulses, '0.5 ms')),
    row('  page, in all', impulses.pageMs, 'ms'),
    row(
      `${BODIES} bodies with hulls of ${POINTS} points`,
      creation.pageMs,
      'ms',
      isMet(goals.creation, '30 ms'),
    ),
  ]);
  console.log(
    `\nthe first creation took ${creation.firstMs.toPrecision(3)} ms, ${creation.drawn} bodies are drawn; after ` +
      `${impulses.frames} frames of impulses, ${impulses.wrong} bodies of ${BODIES} have another velocity than that of all`,
  );
  if (values.json !== undefined) {
    const results = { tick, idle, impulses, creation };
    writeFileSync(values.json, `${JSON.stringify({ machine, goals, results }, undefined, 2)}\n`);
  }
  return EXIT_CODES.done;
}

const isMet = (met: boolean, goal: string): string => `${goal}, ${met ? 'within' : 'OVER'}`;

const row = (
  what: string,
  { world, other, ratio }: Compared,
  unit: string,
  goal = '',
): readonly string[] => [
  what,
  `${world.toPrecision(3)} ${unit}`,
  `${other.toPrecision(3)} ${unit}`,
  ratio.toFixed(2),
  goal,
];

process.exit(await runCommand('bench:world', main));
