/** The required fields of the worker's messages. They are checked on arrival, so that later code can rely on them. */
import type {
  BodiesMessage,
  JournalItem,
  WorkerMessage,
  WorkerNotice,
} from '../../shared/protocol/control-protocol.js';
import { requireEntry } from '../../shared/recording/recording-checks.js';
import * as LIMITS from '../../shared/util/limits.js';
import { ARRAY_NAMES } from '../../shared/util/command-arguments.js';
import { shapeOf, wrongFields, type Shape } from '../../shared/protocol/message-shape.js';

/** By the type of a message, or by the kind of its content. */
const FIELDS = {
  'betwixt:failure': 'tick:Number message:String',
  'betwixt:journal': 'items:Array',
  'betwixt:bodies':
    'state:Number tick:Number virtualMs:Number isComplete:Boolean spawned:Array tags:Array despawned:Array',
  'betwixt:replies': 'tick:Number replies:Array',
  'betwixt:reply': 'call:Number error:Object|Undefined',
  'betwixt:notice': 'notice:Object',
  'betwixt:replay-report': 'report:Object',
  'betwixt:replay-stopped': 'thrown:Object|Undefined',
  'betwixt:events': 'type:String',
  'betwixt:update':
    'words:Array status:Float64Array statistics:Int32Array takenInputs:Array events:Int32Array|Undefined ' +
    'packet:ArrayBuffer|Undefined',
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

const SHAPES = new Map<unknown, Shape>(
  Object.entries(FIELDS).map(([name, fields]) => [name, shapeOf(fields)]),
);

const ENTRIES: ReadonlySet<string> = new Set(['input', 'command', 'step', 'hash']);

function wrongIn(name: unknown, value: object): string | undefined {
  const shape = SHAPES.get(name);
  const wrong = shape === undefined ? 'is unknown' : wrongFields(value, shape);
  return wrong && `${String(name)}: ${wrong}`;
}

const isId = (id: unknown): boolean => typeof id === 'number' && id >>> 0 === id;

function wrongInBodies({ spawned, tags, despawned }: BodiesMessage): string | undefined {
  if (!spawned.every(isId) || !despawned.every(isId)) return 'betwixt:bodies: an id that is none';
  if (tags.length === spawned.length && tags.every(isTag)) return undefined;
  return 'betwixt:bodies: a tag that is none';
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

/** What is wrong with one of the library's messages; undefined: nothing. */
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

/** What would make it no entry of a recording. */
function wrongInEntry(item: JournalItem | WorkerNotice): string | undefined {
  if (!ENTRIES.has(item.kind)) return undefined;
  try {
    requireEntry(item, 0);
    return undefined;
  } catch (error) {
    return `${item.kind}: ${(error as Error).message}`;
  }
}

/** What is wrong with the worker's answer that it is ready. */
export const wrongInInfo = (info: object): string | undefined =>
  wrongFields(info, shapeOf('commands:Array queries:Array canSave:Boolean'));
