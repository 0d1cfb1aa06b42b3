/** In place of Colyseus, as long as it is not installed: no server can be found. `npm run rooms` installs it. */
const notInstalled = (): Promise<never> => Promise.reject(new Error('Colyseus is not installed'));

export class Client {
  readonly reconnect = notInstalled;
  readonly joinOrCreate = notInstalled;
  readonly joinById = notInstalled;
}
