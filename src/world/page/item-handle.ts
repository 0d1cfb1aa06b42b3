/** The base of all handles: something in a world, as the page has it. Settings can be read here as soon as they were set, and are sent. */
import { changeField, type Kind, type KindFields } from '../shared/setting-tables.js';
import type { WorldItem } from './page-contents.js';
import type { WorldLink } from './world-link.js';

/** An item that gets its handle. */
export interface NewItem<K extends Kind> {
  readonly handle: number;
  readonly fields: KindFields<K>;
  /** The handles of what it is made of. */
  readonly parts: readonly WorldItem[];
}

/** A handle, until what it stands for is removed and after. */
export class ItemHandle<K extends Kind> implements WorldItem {
  /** The kind of all handles of a class. */
  declare static readonly kind: Kind;
  readonly handle: number;
  /** The fields as they were set last. */
  fields: KindFields<K>;
  protected readonly link: WorldLink;
  /** The handles of what it is made of. The class knows of which kinds they are. */
  protected readonly parts: readonly WorldItem[];

  constructor(link: WorldLink, { handle, fields, parts }: NewItem<K>) {
    this.link = link;
    this.handle = handle;
    this.fields = { ...fields };
    this.parts = parts;
  }

  /** Replaces the known fields, apart from those written since. Fields that the engine does not report are left out. */
  resync(fields: KindFields<K>): void {
    this.fields = { ...fields };
  }

  isValid(): boolean {
    return this.link.has(this.#kind, this);
  }

  /** Sets a field, and sends it unless it is the same. */
  protected setField<Name extends keyof KindFields<K> & string>(
    name: Name,
    value: NonNullable<KindFields<K>[Name]>,
  ): void {
    if (this.isValid() && this.link.hasValue(this.fields[name], value)) return;
    const open = this.link.changeItem(this.#kind, this) as KindFields<K> | undefined;
    if (open === undefined) return;
    for (const fields of [this.fields, open]) changeField(fields, name, value);
  }

  get #kind(): Kind {
    return (this.constructor as typeof ItemHandle).kind;
  }
}
