/** The figures of `npm run bench:rooms` with their goals. */
import type { RoomsResult } from './result.js';

/** The most that each may be. */
export const GOALS = {
  movingBytesPerSecond: 40_000,
  movingBytesPerSecondAt20Hz: 28_000,
  restingBytesPerSecond: 1000,
  encodeMs: 0.15,
  animationErrorMs: 0.1,
  starvedShare: 0.005,
  lossyDelayMs: 300,
  rollbackMs: 6,
  rooms: 20,
  latenessMs: 5,
} as const;

export interface Row {
  readonly what: string;
  readonly figure: string;
  readonly goal: string;
  /** Undefined: there is no goal. */
  readonly isMet: boolean | undefined;
}

type Load = RoomsResult['load'][number];

const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB/s`;
const ms = (value: number): string => `${value.toPrecision(3)} ms`;
const percent = (share: number): string => `${Number((share * 100).toPrecision(3))} %`;

export function rowsOf(result: RoomsResult): readonly Row[] {
  const { stream, steady, lossy, rollbacks, sessions, engineSessions, client, load } = result;
  const { positionError, rotationErrorDegrees } = stream;
  return [
    atMost(
      '200 bodies that move, at 30 Hz',
      stream.movingBytesPerSecond,
      GOALS.movingBytesPerSecond,
      kB,
      `, ${stream.bitsPerBody.toFixed(1)} bits a body, ${percent(stream.movingShare)} of them in each packet`,
    ),
    atMost(
      'the same at 20 Hz',
      stream.movingBytesPerSecondAt20Hz,
      GOALS.movingBytesPerSecondAt20Hz,
      kB,
    ),
    atMost('the same at rest', stream.restingBytesPerSecond, GOALS.restingBytesPerSecond, kB),
    atMost('encoding a packet', stream.encodeMs.mean, GOALS.encodeMs, ms),
    ...stream.schemas.map(({ kind, bytesPerSecond, encodeMs, ratio }) =>
      plain(
        `  a schema of Colyseus, ${kind}`,
        `${kB(bytesPerSecond)}, ${ratio.toFixed(1)} times as much; ${ms(encodeMs.mean)}`,
      ),
    ),
    atMost(
      'error of positions',
      positionError.max * 1000,
      positionError.bound * 1000,
      (mm) => `${mm.toFixed(2)} mm`,
    ),
    atMost(
      'error of rotations',
      rotationErrorDegrees.max,
      rotationErrorDegrees.bound,
      (degrees) => `${degrees.toFixed(3)}°`,
    ),
    atMost(
      'animation error, p99, 100 ± 40 ms',
      steady.animationErrorMs.p99,
      GOALS.animationErrorMs,
      ms,
      `, ${steady.delayMs.toFixed(0)} ms behind`,
    ),
    atMost('starved frames', steady.starvedShare, GOALS.starvedShare, percent),
    atMost('starved frames with 5 % loss', lossy.starvedShare, GOALS.starvedShare, percent),
    atMost(
      '  how far behind',
      lossy.delayMs,
      GOALS.lossyDelayMs,
      (value) => `${value.toFixed(0)} ms`,
    ),
    ...rollbacks.map(({ build, motion, states, ms: times, ...rest }) => {
      const { elapsedMs, stepsMs, ratio, tickMs, hashes, desyncs } = rest;
      const what = `8 ticks again, p95, ${build}, ${motion}, states ${states}`;
      const more =
        `, p50 ${ms(times.p50)}; the steps alone ${ms(stepsMs.p50)} and ${ms(stepsMs.p95)}, ` +
        `${ratio.p50.toFixed(2)} times as long at p50; elapsed ${ms(elapsedMs.p95)}, a tick ${ms(tickMs.p50)}, ${desyncs} of ${hashes} hashes differ`;
      return build === 'simd' && states === 'kept'
        ? atMost(what, times.p95, GOALS.rollbackMs, ms, more)
        : plain(what, `${ms(times.p95)}${more}`);
    }),
    ...sessionRows('with a toy', sessions),
    ...sessionRows('with rapier3d-simd', engineSessions),
    plain(
      '  of them back by copies of memory',
      `${engineSessions.returned} of ${engineSessions.right.rollbacks}`,
    ),
    {
      what: `${client.seconds} s of a client that predicts`,
      figure:
        `${client.droppedTicks} of ${client.ticks + client.droppedTicks} ticks dropped; ${client.rollbacks} times back, ` +
        `${client.repeatedTicks} ticks again; a tick ${ms(client.tickMs.p50)} at p50, ${ms(client.tickMs.p99)} at p99, ` +
        `${ms(client.tickMs.max)} at most; ${client.desyncs} of ${client.hashes} hashes differ`,
      goal: 'none dropped',
      isMet: client.droppedTicks === 0,
    },
    ...[...new Set(load.map(({ motion }) => motion))].flatMap((motion) =>
      loadRows(load.filter((one) => one.motion === motion)),
    ),
  ];
}

function loadRows(loads: readonly Load[]): readonly Row[] {
  const [first] = loads;
  if (first === undefined) return [];
  const carries = ({ latenessMs }: Load): boolean => latenessMs.p99 <= GOALS.latenessMs;
  const carried = loads.findLast(carries);
  const tooMany = loads.find((one) => !carries(one));
  return [
    ...loads.map(({ rooms, motion, latenessMs, coreShare, stepShare, stepMs, droppedTicks }) =>
      plain(
        `${rooms} rooms, ${motion}`,
        `late by ${ms(latenessMs.p99)} at p99; ${percent(coreShare)} of a core, ${percent(stepShare)} of that steps ` +
          `of ${ms(stepMs)}; ${droppedTicks} ticks dropped`,
      ),
    ),
    {
      what: `rooms of 200 bodies at 60 Hz, ${first.motion}`,
      figure: `${carried?.rooms ?? 0}${tooMany === undefined ? '' : limitOf(tooMany)}`,
      goal: `at least ${GOALS.rooms}, late by ${GOALS.latenessMs} ms at p99 at most`,
      isMet: (carried?.rooms ?? 0) >= GOALS.rooms,
    },
  ];
}

/** What a core has no time for. */
const limitOf = ({ rooms, coreShare, stepShare }: Load): string =>
  `; with ${rooms}, steps of the engine take ${percent(coreShare * stepShare)} of a core, and all else ` +
  `${percent(coreShare * (1 - stepShare))}`;

function sessionRows(
  kind: string,
  { right, wrong }: Pick<RoomsResult['sessions'], 'right' | 'wrong'>,
): readonly Row[] {
  return [
    {
      what: `${right.sessions} random sessions ${kind}`,
      figure: `${right.desyncs} of ${right.hashes} hashes differ; ${right.rollbacks} times back, ${right.late} actions late`,
      goal: '0',
      isMet: right.desyncs === 0,
    },
    {
      what: '  with wrong simulations',
      figure: `${wrong.found} of ${wrong.sessions} found`,
      goal: 'all',
      isMet: wrong.found === wrong.sessions,
    },
  ];
}

function atMost(
  what: string,
  value: number,
  goal: number,
  format: (value: number) => string,
  more = '',
): Row {
  return {
    what,
    figure: `${format(value)}${more}`,
    goal: `at most ${format(goal)}`,
    isMet: value <= goal,
  };
}

const plain = (what: string, figure: string): Row => {
  return { what, figure, goal: '', isMet: undefined };
};
