/** Passes what a page sends under `/rooms/` on to a process of rooms: there is one address for everything. */
import { Agent, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** The ports of the processes that may answer for a path, the best first. */
type PortsFor = (path: string) => readonly number[];

const PREFIX = /^\/rooms\/\d+(?=\/)/;
/** Questions are short. */
const MAX_BODY_BYTES = 1 << 16;
/** A connection that is kept may be that of a process that has just ended. */
const agent = new Agent({ keepAlive: false });

/** Answers a question by the first process that does. Calls `next` for other paths. */
export const forwardQuestions =
  (portsFor: PortsFor) =>
  (question: IncomingMessage, answer: ServerResponse, next: () => void): void => {
    const { url = '' } = question;
    if (!PREFIX.test(url)) {
      next();
      return;
    }
    const fail = (status: number): void => {
      if (!answer.headersSent) answer.writeHead(status);
      answer.end();
    };
    bodyOf(question)
      .then(async (body) => {
        for (const port of portsFor(url)) {
          const reply = await ask(port, question, body).catch(() => undefined);
          if (reply === undefined) continue;
          answer.writeHead(reply.statusCode ?? 502, reply.headers);
          reply.pipe(answer);
          return;
        }
        fail(502);
      })
      .catch(() => fail(413));
  };

/** Connects a page to its room. */
export function forwardConnections(server: Server, portsFor: PortsFor): void {
  server.on(
    'upgrade',
    ({ url = '', rawHeaders }: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (!PREFIX.test(url)) return;
      const [port] = portsFor(url);
      if (port === undefined) {
        socket.destroy();
        return;
      }
      const room = connect(port, '127.0.0.1', () => {
        const headers = rawHeaders.map((text, index) => text + (index % 2 === 0 ? ': ' : '\r\n'));
        room.write(`GET ${url.replace(PREFIX, '')} HTTP/1.1\r\n${headers.join('')}\r\n`);
        room.write(head);
        room.pipe(socket).pipe(room);
      });
      const end = (): void => {
        room.destroy();
        socket.destroy();
      };
      for (const side of [room, socket]) side.on('error', end).on('close', end);
    },
  );
}

const ask = (port: number, question: IncomingMessage, body: Buffer): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { method, headers, url = '' } = question;
    const path = url.replace(PREFIX, '');
    request({ host: '127.0.0.1', port, method, path, headers, agent }, resolve)
      .on('error', reject)
      .end(body);
  });

/** @throws Error if it is too long. */
async function bodyOf(question: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of question as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('it is too long');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
