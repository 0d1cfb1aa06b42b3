/**
 * The page's end of the control plane: calls that a sleeping worker answers immediately, and that never stay pending
 * when the worker is gone.
 */
import { releaseProxy, wrap, type Endpoint, type Remote } from 'comlink';
import {
  PORT_MESSAGE,
  isWorkerMessage,
  type WorkerControl,
  type WorkerMessage,
  type BodiesMessage,
  type JournalItem,
  type WorkerNotice,
} from '../../shared/protocol/control-protocol.js';
import { ringDoorbell } from '../../shared/memory/doorbell.js';
import { WorkerFailedError } from '../../shared/util/errors.js';
import { failedBy, revivedError } from '../util/page-errors.js';
import { CONTROL } from '../../shared/memory/layout.js';
import type { WorkerLike } from '../api/create-worker.js';
import { DID_NOT_LOAD, WORKER_EVENTS } from './worker-creation.js';
import { requireEntry, requireSavedState } from '../../shared/recording/recording-checks.js';
import { requireRunDescription } from '../../shared/recording/recording.js';
import { ARRAY_NAMES } from '../../shared/util/command-arguments.js';
import { shapeOf, wrongFields, type MessageShape } from '../../shared/protocol/message-shape.js';
import * as LIMITS from '../../shared/util/limits.js';

const PORT_EVENTS = ['message', 'messageerror'] as const;

interface ControlClientParts {
  /** Only observed for its end: its messages may be the application's. */
  readonly worker: WorkerLike;
  /** See {@link openPort}. Closed by `release`. */
  readonly port: MessagePort;
  /** Control words of the buffer, which include the doorbell. */
  readonly control: Int32Array;
  readonly events: ControlClientEvents;
  /** The worker's events so far. Default: none. */
  readonly bufferedEvents?: readonly Event[];
  /** The text for an event that says nothing: the script did not load. */
  readonly whyNotLoaded?: () => Promise<string>;
  /** Called before each call, which must not overtake what the page has written before. */
  readonly flush?: () => void;
}

export interface ControlClientEvents {
  /** Called once, when the worker fails. */
  readonly onFailure: (error: WorkerFailedError) => void;
  /** Called with what the worker posts besides Comlink, except failures. */
  readonly onMessage: (message: WorkerMessage) => void;
}

export class ControlClient {
  readonly #worker: WorkerLike;
  readonly #port: MessagePort;
  readonly #remote: Remote<WorkerControl>;
  /** Comlink leaves calls pending forever when a worker ends (its issues 601 and 692). */
  readonly #pending = new Set<(reason: Error) => void>();
  readonly #events: ControlClientEvents;
  readonly #whyNotLoaded: () => Promise<string>;
  #ended: Error | undefined;

  constructor(parts: ControlClientParts) {
    const { worker, port, events, bufferedEvents = [] } = parts;
    this.#worker = worker;
    this.#whyNotLoaded = parts.whyNotLoaded ?? (async () => DID_NOT_LOAD);
    this.#port = port;
    this.#events = events;
    bufferedEvents.forEach(this.#onEvent);
    for (const type of WORKER_EVENTS) worker.addEventListener(type, this.#onEvent);
    for (const type of PORT_EVENTS) port.addEventListener(type, this.#onEvent);
    this.#remote = wrap<WorkerControl>(ringingEndpoint(parts));
    port.start();
  }

  /** Why no further calls can be made, if so. */
  get ended(): Error | undefined {
    return this.#ended;
  }

  /** Makes a call. Rejects with the error thrown in the worker, or with the reason for the end if the worker ends first. */
  call<T>(make: (remote: Remote<WorkerControl>) => Promise<T>): Promise<T> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    return new Promise<T>((resolve, reject) => {
      this.#pending.add(reject);
      void make(this.#remote)
        .finally(() => this.#pending.delete(reject))
        .then(resolve, (error: unknown) => reject(revivedError(error)));
    });
  }

  /** Rejects all pending and later calls. Does not touch the worker itself. */
  end(reason: Error): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    for (const reject of this.#pending) reject(reason);
    this.#pending.clear();
  }

  /** Removes the listeners and closes the port. Call it after {@link end}, when nothing more is expected. */
  release(): void {
    for (const type of WORKER_EVENTS) this.#worker.removeEventListener(type, this.#onEvent);
    for (const type of PORT_EVENTS) this.#port.removeEventListener(type, this.#onEvent);
    this.#remote[releaseProxy]();
    this.#port.close();
  }

  /** The worker has failed: ends the connection and reports the failure. */
  fail(error: WorkerFailedError): void {
    if (this.#ended !== undefined) return;
    this.end(error);
    this.#events.onFailure(error);
  }

  readonly #onEvent = (event: Event): void => {
    switch (event.type) {
      case 'message':
        return this.#onMessage((event as MessageEvent<unknown>).data);
      case 'messageerror':
        return this.fail(
          new WorkerFailedError('a message from the worker could not be read', 'tick'),
        );
      default:
        // Not cancelled: the browser shows the error, with the place in the worker's source.
        // The worker's last messages take another path and may be later than this event: lose no journal.
        setTimeout(() => this.#onEnd(event));
    }
  };

  async #onEnd(event: Event): Promise<void> {
    const { message = '', filename = '', lineno, colno, error } = event as Partial<ErrorEvent>;
    if (event.type !== 'error') {
      this.fail(new WorkerFailedError('the worker thread ended by itself', 'tick'));
    } else if (message === '' || message.includes("'<'")) {
      // HTML in place of a classic script is a mistake in its syntax.
      const why = await this.#whyNotLoaded();
      this.fail(new WorkerFailedError(why, 'load'));
    } else {
      const place = filename === '' ? '' : ` (${filename}:${lineno}:${colno})`;
      const advice = message.includes(' a module')
        ? ": create the worker with { type: 'module' }"
        : '';
      const text = `the worker script failed: ${message}${place}${advice}`;
      this.fail(failedBy(error ?? undefined, 'load', text));
    }
  }

  #onMessage(data: unknown): void {
    if (!isWorkerMessage(data)) return;
    // Messages of an abandoned worker are ignored, except its progress.
    if (this.#ended !== undefined && data.type !== 'betwixt:update') return;
    const wrong = wrongInMessage(data);
    if (wrong !== undefined) {
      this.fail(
        new WorkerFailedError(`the worker posted an invalid message: ${wrong}`, 'protocol'),
      );
    } else if (data.type === 'betwixt:failure') {
      const { stage, tick, message } = data;
      const where = stage === 'init' ? stage : `tick ${tick}`;
      const what = stage === 'protocol' ? '' : `the simulation threw in ${where}: `;
      this.fail(failedBy(revivedError(data), stage, what + message));
    } else {
      this.#events.onMessage(data);
      if (data.type === 'betwixt:update') this.#onMessage(data.message);
    }
  }
}

/** Posts the worker its end of a port, since the application may use the worker as well. */
export function openPort(worker: WorkerLike): MessagePort {
  const { port1, port2 } = new MessageChannel();
  worker.postMessage({ type: PORT_MESSAGE, port: port2 }, [port2]);
  return port1;
}

/** Posts before ringing, so that a worker that wakes up finds the message. */
function ringingEndpoint({ port, control, flush }: ControlClientParts): Endpoint {
  return {
    postMessage: (message: unknown, transfer: Transferable[] = []) => {
      flush?.();
      port.postMessage(message, transfer);
      ringDoorbell(control, CONTROL.doorbell);
    },
    addEventListener: port.addEventListener.bind(port),
    removeEventListener: port.removeEventListener.bind(port),
  };
}

/**
 * The required fields of the messages of a worker, by the type of a message or the kind of its content. They are checked on
 * arrival, so that later code can rely on them.
 */
const FIELDS = {
  'betwixt:failure': 'tick:Number message:String stage:String',
  'betwixt:journal': 'items:Array',
  'betwixt:bodies':
    'state:Number tick:Number virtualMs:Number isComplete:Boolean spawned:Array tags:Array despawned:Array',
  'betwixt:replies': 'tick:Number replies:Array',
  'betwixt:reply': 'call:Number error:Object|Undefined',
  'betwixt:notice': 'notice:Object',
  'betwixt:replay-report': 'report:Object',
  'betwixt:replay-state': 'state:Object differsAt:Number',
  'betwixt:replay-stopped': 'thrown:Object|Undefined',
  'betwixt:events': 'type:String',
  'betwixt:update':
    'words:Array status:Float64Array statistics:Int32Array takenInputs:Array events:Int32Array|Undefined ' +
    'packet:ArrayBuffer|Undefined message:Object|Undefined',
  input: 'tick:Number input:Object',
  command: `tick:Number name:String args:String data:Undefined|${ARRAY_NAMES.join('|')}`,
  batch: 'tick:Number bytes:Uint8Array',
  step: 'tick:Number dt:Number',
  hash: 'tick:Number hash:String',
  restart: 'run:Object restarts:Number',
  kept: 'tick:Number number:Number since:Number everyTicks:Number bytes:Number',
  state: 'state:Object',
  slow: 'tick:Number isSlow:Boolean',
  'invalid-pose': 'tick:Number body:Number tag:Null|Boolean|Number|String|Array|Object',
  gap: 'gapMs:Number',
  replayed: 'report:Object',
};

const SHAPES = new Map<unknown, MessageShape>(
  Object.entries(FIELDS).map(([name, fields]) => [name, shapeOf(fields)]),
);

function wrongIn(name: unknown, value: object): string | undefined {
  const shape = SHAPES.get(name);
  const wrong = shape === undefined ? 'is unknown' : wrongFields(value, shape);
  return wrong && `${String(name)}: ${wrong}`;
}

const isId = (id: unknown): boolean => typeof id === 'number' && id >>> 0 === id;

function wrongInBodies({ spawned, tags, despawned }: BodiesMessage): string | undefined {
  if (!spawned.every(isId) || !despawned.every(isId)) return 'betwixt:bodies: an invalid id';
  if (tags.length === spawned.length && tags.every(isTag)) return undefined;
  return 'betwixt:bodies: an invalid tag';
}

function isTag(json: unknown): boolean {
  if (typeof json !== 'string' || json.length > LIMITS.tagLength) return false;
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

/** Says what is wrong with a message of the worker; undefined if it is valid. */
export function wrongInMessage(message: WorkerMessage): string | undefined {
  let wrong = wrongIn(message.type, message);
  if (wrong !== undefined) return wrong;
  if (message.type === 'betwixt:bodies') return wrongInBodies(message);
  if (message.type === 'betwixt:replies') {
    for (const reply of message.replies) wrong ??= wrongIn('betwixt:reply', reply ?? {});
  }
  const items = 'items' in message ? message.items : 'notice' in message ? [message.notice] : [];
  for (const item of items) wrong ??= wrongIn(item?.kind, item) ?? wrongInEntry(item);
  return wrong;
}

/** Says what is wrong with an item that a recording gets. */
function wrongInEntry(item: JournalItem | WorkerNotice): string | undefined {
  try {
    switch (item.kind) {
      case 'restart':
        requireRunDescription(item.run, 'run.');
        break;
      case 'state':
        requireSavedState('state', item.state);
        break;
      case 'input':
      case 'command':
      case 'batch':
      case 'step':
      case 'hash':
        requireEntry(item, 0);
        break;
      default:
    }
    return undefined;
  } catch (error) {
    return `${item.kind}: ${(error as Error).message}`;
  }
}

/** Says what is wrong with the worker's answer to `initialize`; undefined if it is valid. */
export const wrongInInfo = (info: object): string | undefined =>
  wrongFields(info, shapeOf('commands:Array queries:Array canSave:Boolean'));
