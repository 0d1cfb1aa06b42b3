/** The commands and queries of the toy simulation. */
export interface ToyCommands {
  [name: string]: (...args: never[]) => unknown;
  spawn(count: number): number;
}

export interface ToyQueries {
  [name: string]: (...args: never[]) => unknown;
  echo(value: number): number;
  throwNow(message: string): void;
  throwInNextTick(message: string): void;
  stall(durationMs: number): void;
  isIsolated(): boolean;
}
