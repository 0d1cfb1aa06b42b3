/** The meaning of each column, in the order of the table. */
export const COLUMN_LEGEND: readonly (readonly [name: string, meaning: string])[] = [
  ['tick Hz', 'updates a second that the loop was set to; – where it has no such rate'],
  ['updates', 'updates run'],
  ['frames', 'frames drawn, distinct and repeated'],
  ['distinct', 'frames that showed something new'],
  ['repeated', 'wasted frames: they showed the same as the one before'],
  ['simulated s', 'time simulated by the end of the run'],
  ['speed', 'simulated time over real time; 1 is right, below 1 is slow motion'],
  ['largest step ms', 'the longest time that one update simulated; long ones tunnel and explode'],
  ['through the wall', 'shots that went through a wall 50 ms thick because a step was longer'],
  [
    'in the floor',
    'the deepest that the ball was drawn below its floor, which it never is; it rises to 1',
  ],
  ['dropped ms', 'time given up: the game is as much behind the clock for good'],
  ['drift s', 'what adding up the steps is off by, from rounding'],
  [
    'turns per s',
    'turns of the loop a second; more than updates and frames are polls for what is due',
  ],
  ['slept ms', 'time left over that was slept: power saved'],
  [
    'latency ms',
    'mean age of a frame when it is displayed, without time dropped or lost in slow motion',
  ],
  [
    'input ms',
    'mean time from an input to the first frame that shows its effect; – if no frame did',
  ],
  [
    'animation error',
    'movement of a frame against its display time: mean, 99th percentile, worst; 0 is smooth',
  ],
  ['deterministic', 'whether displays of other rates give the same states to the bit'],
  [
    'watchdog',
    'updates before a frame: by default over 5 slow, over 20 critical, 5 such in 10 s unresponsive',
  ],
];
