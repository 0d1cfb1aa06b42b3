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
  /** What goes wrong with it, and when. One paragraph. */
  readonly goesWrong: string;
  /** Whether all updates have the same step. If not, the simulation must cope with any step. */
  readonly step: 'equal' | 'variable';
  /**
   * What a frame shows: the newest state, a place between two, or an extrapolation beyond the
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
    rule: 'One update and one frame, as fast as it goes; no clock.',
    goesWrong:
      'The loop never asks what time it is, so the game is as fast as the machine. A processor twice as ' +
      'fast, or a display at 144 Hz instead of 60, and everything moves at more than double speed; while ' +
      'something else keeps the machine busy, the game stands still and never makes up for it.',
    step: 'equal',
    draws: 'latest',
    hasTickRate: true,
  },
  'frame-locked': {
    title: 'Frame-locked',
    source: `${DEWITTERS.name}, “FPS dependent on Constant Game Speed”`,
    article: DEWITTERS,
    rule: 'One update and one frame in each slot of 1/rate; the rest of the slot is slept.',
    goesWrong:
      'Updates and frames share one rate. A slow machine that cannot draw that often runs the game in ' +
      'slow motion. After a lag it plays in fast motion until it has caught up, but only if machine and ' +
      'display have room for more frames than there are slots; with 60 slots on a 60 Hz display there is ' +
      'none, and it stays behind for ever. A fast machine with a fast display gets no more frames than ' +
      'the slowest one: at 25 slots a second, 25.',
    step: 'equal',
    draws: 'latest',
    hasTickRate: true,
  },
  variable: {
    title: 'Variable step',
    source: `${DEWITTERS.name}, “Game Speed dependent on Variable FPS”`,
    article: DEWITTERS,
    rule: 'One update a frame; its step is the time since the last frame.',
    goesWrong:
      'The step follows the display, and so does every rounding error and every bounce: two machines ' +
      'never compute the same game. A long frame makes one long step, in which fast things jump through ' +
      'walls and springs explode; very short ones lose digits. A clamp on the step trades that for a ' +
      'game that runs slow on slow displays and fast on very fast ones.',
    step: 'variable',
    draws: 'latest',
    hasTickRate: true,
  },
  'frame-skip': {
    title: 'Frame skip',
    source: `${DEWITTERS.name}, “Constant Game Speed with Maximum FPS”`,
    article: DEWITTERS,
    rule: 'Updates at a constant rate, at most so many before a frame; frames as fast as possible.',
    goesWrong:
      'Above the update rate frames show the same state again, so a fast display gains nothing and the ' +
      'motion judders where the two rates do not divide. Where frames are so long that the most updates ' +
      'before one (ten in the article) are not enough, the game slows down, and what it owes is kept and ' +
      'played in fast motion as soon as the machine can.',
    step: 'equal',
    draws: 'latest',
    hasTickRate: true,
  },
  'fixed-predict': {
    title: 'Fixed step, predicted',
    source: `${DEWITTERS.name}, “Constant Game Speed independent of Variable FPS”`,
    article: DEWITTERS,
    rule: 'Updates at a constant rate; frames go on from the newest state by its speed.',
    goesWrong:
      'A frame guesses what the next update will say, and guesses wrong whenever something changes: ' +
      'a ball is drawn inside the floor until the update notices the bounce, and then jumps out of it. ' +
      'The longer the tick, the deeper it goes.',
    step: 'equal',
    draws: 'predicted',
    hasTickRate: true,
  },
  'semi-fixed': {
    title: 'Semi-fixed step',
    source: `${FIEDLER.name}, “Semi-fixed timestep”`,
    article: FIEDLER,
    rule: 'The frame’s time in steps of at most dt, the last one shorter.',
    goesWrong:
      'No step is too long, but the short last ones come from the display, so no two runs agree to the ' +
      'bit and a replay drifts away. When an update costs more than the time that it simulates, each ' +
      'frame takes longer than the one before and has more to simulate: the spiral of death.',
    step: 'variable',
    draws: 'latest',
    hasTickRate: true,
  },
  fixed: {
    title: 'Fixed step, interpolated',
    source: `${FIEDLER.name}, “The final touch”; Robert Nystrom, “Game Programming Patterns: Game Loop”, “Play catch up”; Unity’s FixedUpdate`,
    article: FIEDLER,
    rule: 'Whole steps out of an accumulator; frames can be drawn between the last two states.',
    goesWrong:
      'Drawn between two states that are both known, the picture is one tick old. Of a lag that is longer ' +
      'than the bound on a frame’s time (0.25 s in the article, 1/3 s in Unity) the rest is given up, and ' +
      'the game is that much behind the clock for good; under constant overload it runs in slow motion ' +
      'at the bound.',
    step: 'equal',
    draws: 'interpolated',
    hasTickRate: true,
  },
  'refresh-multiple': {
    title: 'Multiples of the refresh interval',
    source: 'An article on update time steps whose author is not known',
    rule: 'Updates by whole refresh intervals of the display, several in one where frames are long.',
    goesWrong:
      'What an update costs follows the display: 144 Hz means 144 updates a second, and a simulation ' +
      'tuned at 60 behaves differently there. When the display is not what the loop takes it for, the ' +
      'picture stumbles now and then. In overload, slow-down loses time, and pass-through makes one huge ' +
      'step in which fast things tunnel through thin ones.',
    step: 'variable',
    draws: 'latest',
    hasTickRate: false,
  },
  'rate-groups': {
    title: 'Rate groups',
    source: 'The main loop of an engine in Pascal whose author is not known',
    rule: 'Update, render and refresh at rates of their own; with nothing due, a short sleep.',
    goesWrong:
      'Nothing that a fixed step does not have too, but it has no bound unless given one: all missed ' +
      'updates run at once, and where they cost too much they spiral. Rendering above the update rate ' +
      'repeats states unless interpolated. It does not know when it is wanted next: with nothing due it ' +
      'wakes after a millisecond (in the source) only to look again, hundreds of turns a second for ' +
      'nothing, where others sleep until something is due.',
    step: 'equal',
    draws: 'latest',
    hasTickRate: true,
  },
  'bounded-variable': {
    title: 'Bounded variable step',
    source: TRIPZILCH.name,
    article: TRIPZILCH,
    rule: 'Steps of bounded length until game time has reached now.',
    goesWrong:
      'Long frames are cut into bounded steps, but their size still comes from the display, so it is not ' +
      'deterministic. Game time may end up to one step ahead of now; the next frame then has less to do, ' +
      'or nothing, and motion is uneven just where frames are long. With the remainder option it ends at ' +
      'now, for one more short update a frame.',
    step: 'variable',
    draws: 'latest',
    hasTickRate: false,
  },
};
