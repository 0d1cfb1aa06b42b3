/** Descriptions of each stepper for readers: where it comes from and what goes wrong with it. */
import type { StepperKind } from './registry.js';

/** An article on the web. */
export interface StepperArticle {
  /** Author and title. */
  readonly name: string;
  readonly url: string;
}

export interface StepperInfo {
  readonly title: string;
  /**
   * The source that describes the loop. If it is an article with an address, its title comes first.
   */
  readonly source: string;
  /** The article, if its address is known. */
  readonly article?: StepperArticle;
  /** The loop in one sentence, whatever its options: without numbers that they could change. */
  readonly rule: string;
  /** The faults of the loop, and when they show. One paragraph. */
  readonly goesWrong: string;
  /** Whether all updates have the same step. If not, the simulation must cope with any step. */
  readonly step: 'equal' | 'variable';
  /**
   * The state of a frame: the newest one, a place between two, or an extrapolation beyond the
   * newest.
   */
  readonly draws: 'latest' | 'interpolated' | 'predicted';
  /** Whether the option `tickRateHz` sets its step or a limit of it. */
  readonly hasTickRate: boolean;
}

const DEWITTERS: StepperArticle = {
  name: 'Koen Witters, “deWiTTERS Game Loop”',
  url: 'https://dewitters.com/dewitters-gameloop/',
};
const FIEDLER: StepperArticle = {
  name: 'Glenn Fiedler, “Fix Your Timestep!”',
  url: 'https://gafferongames.com/post/fix_your_timestep/',
};
const TRIPZILCH: StepperArticle = {
  name: 'tripzilch, “Timing en de gameloop”',
  url: 'https://gist.github.com/10fc1af97830e515bcbb',
};

export const STEPPER_INFO: Readonly<Record<StepperKind, StepperInfo>> = {
  unpaced: {
    title: 'Unpaced',
    source: `${DEWITTERS.name}, the simplest loop`,
    article: DEWITTERS,
    rule: 'One update and one frame, as fast as possible; no clock.',
    goesWrong:
      'The loop never reads the clock, so the speed of the game depends on the machine. With a processor twice as ' +
      'fast, or a display at 144 Hz instead of 60, everything moves at more than double speed. While other ' +
      'work keeps the machine busy, the game stops and never catches up.',
    step: 'equal',
    draws: 'latest',
    hasTickRate: true,
  },
  'frame-locked': {
    title: 'Frame-locked',
    source: `${DEWITTERS.name}, “FPS dependent on Constant Game Speed”`,
    article: DEWITTERS,
    rule: 'One update and one frame in each slot of 1/rate; sleeps for the rest of the slot.',
    goesWrong:
      'Updates and frames share one rate. A machine that cannot draw at this rate runs the game in ' +
      'slow motion. After a stall the game runs in fast motion until it has caught up, but only if machine and ' +
      'display can draw more frames than there are slots; with 60 slots on a 60 Hz display they cannot, ' +
      'and the game stays behind forever. A fast machine with a fast display draws no more frames than ' +
      'the slowest one: 25 with 25 slots per second.',
    step: 'equal',
    draws: 'latest',
    hasTickRate: true,
  },
  variable: {
    title: 'Variable step',
    source: `${DEWITTERS.name}, “Game Speed dependent on Variable FPS”`,
    article: DEWITTERS,
    rule: 'One update per frame; its step is the time since the last frame.',
    goesWrong:
      'The step depends on the display, and so does every rounding error and every bounce: two machines ' +
      'never compute the same game. A long frame causes one long step, in which fast bodies pass through ' +
      'walls and springs explode; very short ones lose precision. Clamping the step instead makes the ' +
      'game slow on slow displays and fast on very fast ones.',
    step: 'variable',
    draws: 'latest',
    hasTickRate: true,
  },
  'frame-skip': {
    title: 'Frame skip',
    source: `${DEWITTERS.name}, “Constant Game Speed with Maximum FPS”`,
    article: DEWITTERS,
    rule: 'Updates at a constant rate, with a limit per frame; frames as fast as possible.',
    goesWrong:
      'Above the update rate, frames repeat states, so a fast display has no advantage, and motion judders ' +
      'if one rate is not a multiple of the other. If frames are so long that the limit of updates ' +
      'per frame (ten in the article) is not enough, the game slows down. It keeps the missing time and ' +
      'runs in fast motion as soon as the machine can.',
    step: 'equal',
    draws: 'latest',
    hasTickRate: true,
  },
  'fixed-predict': {
    title: 'Fixed step, predicted',
    source: `${DEWITTERS.name}, “Constant Game Speed independent of Variable FPS”`,
    article: DEWITTERS,
    rule: 'Updates at a constant rate; frames extrapolate from the newest state by its velocity.',
    goesWrong:
      'A frame predicts the next update, and is wrong whenever something changes: ' +
      'a ball is drawn inside the floor until the next update computes the bounce, and then jumps out. ' +
      'The longer the tick, the deeper it sinks.',
    step: 'equal',
    draws: 'predicted',
    hasTickRate: true,
  },
  'semi-fixed': {
    title: 'Semi-fixed step',
    source: `${FIEDLER.name}, “Semi-fixed timestep”`,
    article: FIEDLER,
    rule: 'Splits the frame’s time into steps of at most dt, the last one shorter.',
    goesWrong:
      'No step is too long, but the short last steps depend on the display, so no two runs are identical ' +
      'and replays diverge. If an update costs more than the time that it simulates, each ' +
      'frame takes longer than the previous one and has more to simulate: the spiral of death.',
    step: 'variable',
    draws: 'latest',
    hasTickRate: true,
  },
  fixed: {
    title: 'Fixed step, interpolated',
    source: `${FIEDLER.name}, “The final touch”; Robert Nystrom, “Game Programming Patterns: Game Loop”, “Play catch up”; Unity’s FixedUpdate`,
    article: FIEDLER,
    rule: 'Whole steps from an accumulator; frames can interpolate between the last two states.',
    goesWrong:
      'An interpolated frame is one tick old. If a stall is longer than the limit on a frame’s time ' +
      '(0.25 s in the article, 1/3 s in Unity), the rest is dropped, and the game stays behind the clock ' +
      'by that much. Under constant overload it runs in slow motion at the limit.',
    step: 'equal',
    draws: 'interpolated',
    hasTickRate: true,
  },
  'refresh-multiple': {
    title: 'Multiples of the refresh interval',
    source: 'A note on multiples of the display’s refresh rate; its author is unknown',
    rule: 'Updates by whole refresh intervals of the display, several at once if frames are long.',
    goesWrong:
      'The cost depends on the display: 144 Hz means 144 updates per second, and a simulation tuned at ' +
      '60 behaves differently. If the display has another rate than assumed, motion stutters occasionally. ' +
      'Under overload, slow-down loses time, and pass-through makes one huge step in which fast bodies ' +
      'tunnel through thin ones.',
    step: 'variable',
    draws: 'latest',
    hasTickRate: false,
  },
  'rate-groups': {
    title: 'Rate groups',
    source: 'The main loop of a Pascal engine; its author is unknown',
    rule: 'Update, render and refresh at separate rates; a short sleep if nothing is due.',
    goesWrong:
      'The same as with a fixed step, but there is no limit by default: all missed updates run at once, ' +
      'and spiral if they cost too much. Rendering above the update rate repeats states unless it ' +
      'interpolates. The loop does not compute when the next task is due: it wakes up every millisecond ' +
      '(in the source) to check, hundreds of iterations per second for nothing, while other loops sleep ' +
      'until something is due.',
    step: 'equal',
    draws: 'latest',
    hasTickRate: true,
  },
  'bounded-variable': {
    title: 'Bounded variable step',
    source: TRIPZILCH.name,
    article: TRIPZILCH,
    rule: 'Steps of limited length until game time has reached the current time.',
    goesWrong:
      'Long frames are split into limited steps, but their length still depends on the display, so the result is not ' +
      'deterministic. Game time may end up to one step ahead of the clock. The next frame then has less to do, ' +
      'or nothing, so motion is uneven exactly when frames are long. With the remainder option, it ends at ' +
      'the current time, at the cost of one more short update per frame.',
    step: 'variable',
    draws: 'latest',
    hasTickRate: false,
  },
};
