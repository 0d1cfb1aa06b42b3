/** Sensors that light up: what marks one is drawn once more, glowing, in its place. */
import {
  AdditiveBlending,
  Color,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  Vector3,
} from 'three';
import type { SceneDescription, StaticLook } from '../../contract/scene-contract.js';
import { placeOf } from '../view/compound.js';
import { createUnitGeometry, sidesOf, unitShapeOf } from '../view/geometries.js';

/** How soon a flash is gone: to a third in so many seconds. */
const FADE_S = 0.22;
/** Below it is gone. */
const DARK = 0.02;
/** How much it grows at its brightest. */
const SWELLING = 0.12;
const LIGHT = new Color(0xffd98a);

interface Flash {
  readonly mesh: Mesh;
  readonly material: MeshBasicMaterial;
  readonly scale: Vector3;
  readonly sensor: number;
  level: number;
}

export class Flashes {
  readonly root = new Group();
  #flashes: readonly Flash[] = [];

  /** Finds the sensors of a scene that are to be seen. */
  show({ statics }: SceneDescription): void {
    this.dispose();
    this.#flashes = statics.flatMap((look) =>
      look.sensor === undefined ? [] : [createFlash(look, look.sensor)],
    );
    for (const { mesh } of this.#flashes) this.root.add(mesh);
  }

  /** Sensors that glow now. */
  get lit(): number {
    return this.#flashes.reduce((sum, { level }) => sum + (level > 0 ? 1 : 0), 0);
  }

  /**
   * Lets a sensor flash.
   *
   * @param strength 0 to 1: how brightly.
   * @returns False when the scene shows no such sensor.
   */
  flash(sensor: number, strength: number): boolean {
    let isShown = false;
    for (const flash of this.#flashes) {
      if (flash.sensor !== sensor) continue;
      flash.level = Math.max(flash.level, Math.min(1, strength));
      apply(flash);
      isShown = true;
    }
    return isShown;
  }

  /** @param stepS Seconds since the last frame. */
  update(stepS: number): void {
    const kept = Math.exp(-stepS / FADE_S);
    for (const flash of this.#flashes) {
      if (flash.level === 0) continue;
      const level = flash.level * kept;
      flash.level = level < DARK ? 0 : level;
      apply(flash);
    }
  }

  clear(): void {
    for (const flash of this.#flashes) {
      flash.level = 0;
      apply(flash);
    }
  }

  dispose(): void {
    for (const { mesh, material } of this.#flashes) {
      mesh.removeFromParent();
      mesh.geometry.dispose();
      material.dispose();
    }
    this.#flashes = [];
  }
}

function createFlash(look: StaticLook, sensor: number): Flash {
  const material = new MeshBasicMaterial({
    color: LIGHT,
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    blending: AdditiveBlending,
    // In front of what it lights up.
    polygonOffset: true,
    polygonOffsetFactor: -4,
    polygonOffsetUnits: -4,
  });
  const mesh = new Mesh(createUnitGeometry(look.shape, sidesOf(look.shape, false)), material);
  const place = placeOf(look.position, look.orientation).multiply(
    placeOf(look.offset, look.rotation),
  );
  place.decompose(mesh.position, mesh.quaternion, mesh.scale);
  mesh.renderOrder = 1;
  const scale = new Vector3(...unitShapeOf(look.shape).scale);
  const flash = { mesh, material, scale, sensor, level: 0 };
  apply(flash);
  return flash;
}

function apply({ mesh, material, scale, level }: Flash): void {
  mesh.visible = level > 0;
  material.opacity = level;
  mesh.scale.copy(scale).multiplyScalar(1 + SWELLING * level);
}
