/** Commands of the toy simulation. */
export interface ToyCommands {
  [name: string]: (...args: never[]) => unknown;
  echo(value: number): number;
  spawn(count: number): number;
  throwNow(message: string): void;
  throwInNextTick(message: string): void;
  stall(durationMs: number): void;
  isIsolated(): boolean;
}
