/** Probes as hooks. */
import { naming } from '../errors/named-errors.js';
import { useMemo, type RefObject } from 'react';
import type { Rotation, Vector } from '../../../shared/world/fields.js';
import type { Probe, ProbeDesc, RigidBody, World } from '../../world/index.js';
import { partsOf } from '../../world/handles/desc-parts.js';
import { useSlot, type Settings } from '../hooks/slot.js';
import type { BodyRef } from '../props/types.js';

/** How a field that can be changed is set. */
const SETTERS: Readonly<Record<string, (probe: Probe, value: unknown) => void>> = {
  translation: (probe, value) => probe.setTranslation(value as Vector),
  rotation: (probe, value) => probe.setRotation(value as Rotation),
  direction: (probe, value) => probe.setDirection(value as Vector),
  maxToi: (probe, value) => probe.setMaxToi(value as number),
  solid: (probe, value) => probe.setSolid(value as boolean),
  enabled: (probe, value) => probe.setEnabled(value as boolean),
};

/**
 * Asks a question that stays while the component is mounted: a ray, or a moving shape, that the worker casts after every
 * tick. The answer is read without waiting, such as in `useFrame`: `probe.current?.hit`, `distance`, `point`, `normal`.
 *
 *     const ground = useProbe(ProbeDesc.ray({ x: 0, y: 0, z: 0 }, { x: 0, y: -1, z: 0 }, 2), body);
 *
 * @param desc It may be made in each render: an equal one is the same probe. Other positions, directions, lengths and
 *   switches change it; another shape or filter makes another probe.
 * @param body What it is relative to. It is made when the ref has a body. Default: none; it is relative to the world.
 * @returns A ref of the probe. Null while there is none.
 * @throws Error outside of `<Physics>`.
 * @throws TypeError for what is no description.
 * @throws RangeError if no numbers are left that it can publish: see `World.createProbe`.
 */
export function useProbe(desc: ProbeDesc, body?: BodyRef): RefObject<Probe | null> {
  const { settings, key } = useMemo(() => naming('useProbe', () => slotOf(desc)), [desc]);
  return useSlot<Probe, null>('useProbe', null, removeProbe, {
    parts: body === undefined ? [] : [body],
    key,
    settings,
    make: (world, [parent]) => world.createProbe(desc, parent as RigidBody | undefined),
    change: (probe, changed) => {
      for (const [name, value] of Object.entries(changed)) SETTERS[name]?.(probe, value);
    },
  });
}

function slotOf(desc: ProbeDesc): { readonly settings: Settings; readonly key: unknown[] } {
  const { fields, filterKey } = partsOf('ProbeDesc', desc);
  const names = Object.keys(fields).filter((name) => name in SETTERS);
  const made = Object.entries(fields).filter(([name]) => !(name in SETTERS));
  return {
    settings: Object.fromEntries(Object.entries(fields).filter(([name]) => name in SETTERS)),
    key: [names.join(), JSON.stringify(made), ...filterKey()],
  };
}

const removeProbe = (world: World, probe: Probe): void => world.removeProbe(probe);
