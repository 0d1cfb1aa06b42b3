/** The meaning of each column, in the order of the table. */
export const COLUMN_LEGEND: readonly (readonly [name: string, meaning: string])[] = [
  ['tick Hz', 'configured updates a second; – if it has no such rate'],
  ['updates', 'updates run'],
  ['frames', 'frames drawn, distinct and repeated'],
  ['distinct', 'frames that showed something new'],
  ['repeated', 'wasted frames: they showed the same as the one before'],
  ['simulated s', 'time simulated by the end of the run'],
  ['speed', 'simulated time over real time; 1 is correct, below 1 is slow motion'],
  ['largest step ms', 'the longest time that one update simulated; long ones tunnel and explode'],
  ['through the wall', 'shots that went through a wall 50 ms thick because a step was longer'],
  ['in the floor', 'maximum depth at which the ball was drawn below its floor; it rises to 1'],
  ['dropped ms', 'dropped time: the game stays behind the clock by it'],
  ['drift s', 'rounding error of adding up the steps'],
  ['turns per s', 'turns of the loop a second; those beyond updates and frames are polls'],
  ['slept ms', 'spare time that was slept: saves power'],
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
  ['deterministic', 'whether displays of other rates give bit-identical states'],
  [
    'watchdog',
    'updates before a frame: by default over 5 slow, over 20 critical, 5 such in 10 s unresponsive',
  ],
];
