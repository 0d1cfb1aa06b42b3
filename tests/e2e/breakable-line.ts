/** A line to a server on this machine that a test cuts, holds and makes again: for the page, that is its network. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export class BreakableLine {
  /** What the page connects to. */
  readonly port: number;
  readonly #targetPort: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #isHeld = false;

  static async open(targetPort: number): Promise<BreakableLine> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new BreakableLine(server, targetPort);
  }

  private constructor(server: Server, targetPort: number) {
    this.port = (server.address() as AddressInfo).port;
    this.#targetPort = targetPort;
    this.#use(server);
  }

  /** Ends all connections, and refuses new ones. */
  async cut(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(server, 'close');
  }

  /** After {@link cut}. */
  async restore(): Promise<void> {
    const server = createServer();
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.#use(server);
  }

  /** Whether connections are there, and nothing passes. */
  set isHeld(isHeld: boolean) {
    this.#isHeld = isHeld;
    for (const socket of this.#sockets) {
      if (isHeld) socket.pause();
      else socket.resume();
    }
  }

  #use(server: Server): void {
    this.#server = server;
    server.on('connection', (near) => {
      const far = connect(this.#targetPort, '127.0.0.1');
      this.#pass(near, far);
      this.#pass(far, near);
    });
  }

  #pass(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.on('data', (bytes) => to.write(bytes));
    // What it says of its end is of no interest.
    from.on('error', () => undefined);
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    if (this.#isHeld) from.pause();
  }
}
