/** Replaces components in the running tree, as a development server does when their module is edited. */
import type { ComponentType } from 'react';

/** All versions of a component have the same, which React looks up. */
interface Family {
  current: ComponentType;
}

/** The part of a renderer for developer tools that is needed here. */
interface Renderer {
  setRefreshHandler?(familyOf: (type: unknown) => Family | undefined): void;
  scheduleRefresh?(root: unknown, update: object): void;
}

/** A mounted tree, as far as it is needed here. */
interface Root {
  readonly current: { readonly memoizedState: { readonly element: unknown } };
}

/** Where React looks for developer tools. */
const HOOK = '__REACT_DEVTOOLS_GLOBAL_HOOK__';

/** React calls it. Test files share it as they share React, but each loads this module again. */
class Hook {
  readonly supportsFiber = true;
  readonly renderers = new Map<number, Renderer>();
  readonly roots = new Map<unknown, Renderer>();
  readonly families = new Map<unknown, Family>();

  inject(renderer: Renderer): number {
    const id = this.renderers.size + 1;
    this.renderers.set(id, renderer);
    renderer.setRefreshHandler?.((type) => this.families.get(type));
    return id;
  }

  onCommitFiberRoot(id: number, root: Root): void {
    const renderer = this.renderers.get(id);
    // An unmounted tree is not kept.
    if (root.current.memoizedState.element === null) this.roots.delete(root);
    else if (renderer !== undefined) this.roots.set(root, renderer);
  }

  // Only developer tools need these.
  onPostCommitFiberRoot(): void {}
  onCommitFiberUnmount(): void {}
}

const globals = globalThis as Record<string, unknown>;
globals[HOOK] ??= new Hook();
const hook = globals[HOOK] as Hook;

/** Has the edited version rendered in the place of the first one, with its state: all of its effects run again. */
export function replaceComponent(first: ComponentType, edited: ComponentType): void {
  const family = { current: edited };
  hook.families.set(first, family);
  hook.families.set(edited, family);
  const update = { staleFamilies: new Set(), updatedFamilies: new Set([family]) };
  for (const [root, renderer] of hook.roots) renderer.scheduleRefresh?.(root, update);
}
