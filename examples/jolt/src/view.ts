/** The scene: the ground, the bodies, and lights where something hits something. It has no physics. */
import { BodyBinding } from 'betwixt/three';
import * as THREE from 'three';
import { colorOf, createStage, painted, solid, WOOD } from '../../stage/stage.js';
import type { Vector } from './jolt-world.js';
import type { Tag } from './simulation.js';

const GROUND = { size: 60, parts: 80, color: 0xc3d3ae } as const;
const LIGHTS = { count: 32, seconds: 0.35 } as const;

/** Hills that end at the edge. The page alone calls `Math.sin`: the simulation gets the points. */
function heightAt(x: number, z: number): number {
  const distance = Math.hypot(x, z);
  const height = 0.15 + 0.04 * Math.max(0, distance - 10);
  const end = Math.max(0, Math.min(1, (GROUND.size / 2 - distance) / 8));
  return end * height * (2 + Math.sin(0.8 * x) + Math.sin(0.6 * z + 2));
}

function hills(): THREE.Mesh {
  const { size, parts, color } = GROUND;
  const geometry = new THREE.PlaneGeometry(size, size, parts, parts).rotateX(-Math.PI / 2);
  const position = geometry.getAttribute('position');
  for (let index = 0; index < position.count; index += 1) {
    position.setY(index, heightAt(position.getX(index), position.getZ(index)));
  }
  geometry.computeVertexNormals();
  const mesh = solid(geometry, color, { roughness: 1, flatShading: true });
  mesh.castShadow = false;
  return mesh;
}

function light(): THREE.Sprite {
  const map = painted(64, 64, (context) => {
    const gradient = context.createRadialGradient(32, 32, 0, 32, 32, 32);
    gradient.addColorStop(0, 'rgb(255 240 200)');
    gradient.addColorStop(1, 'rgb(255 200 80 / 0%)');
    context.fillStyle = gradient;
    context.fillRect(0, 0, 64, 64);
  });
  // Where two boxes meet, they would hide it.
  const look = { blending: THREE.AdditiveBlending, depthTest: false };
  return new THREE.Sprite(new THREE.SpriteMaterial({ map, ...look }));
}

/** @param boxes How many there are at most. */
export function createView(boxes: number) {
  const stage = createStage({ from: [0, 11, 21], to: [0, 1.5, 0], reachM: 18, turns: false });
  stage.ground.position.y -= 0.1;
  const ground = hills();
  const cube = new THREE.BoxGeometry(1, 1, 1);
  const heap = new THREE.InstancedMesh(cube, new THREE.MeshStandardMaterial(), boxes);
  heap.castShadow = heap.receiveShadow = true;
  heap.frustumCulled = false;
  const pin = solid(new THREE.SphereGeometry(0.15), 0xffffff, { emissive: 0x888888 });
  const lights = Array.from({ length: LIGHTS.count }, () => ({ sprite: light(), startMs: -1e6 }));
  stage.scene.add(ground, heap, pin, ...lights.map(({ sprite }) => sprite));

  const bodies = new BodyBinding();
  const instances = bodies.instances(heap);
  let drawn = 0;
  let nowMs = 0;
  return {
    ...stage,
    bodies,
    hills: ground,
    pin,

    /** The object of a body. */
    draw({ kind, size }: Tag) {
      drawn += 1;
      const color = new THREE.Color(colorOf(drawn + Math.floor(drawn / 6)));
      const scale: [number, number, number] = [...size];
      if (kind === 'box') return { instances, scale, color };
      const platform = solid(cube, WOOD);
      platform.scale.set(...size);
      return platform;
    },

    /** Shows that something was hit. */
    flash([x, y, z]: Vector, speed: number): void {
      const oldest = lights.reduce((a, b) => (a.startMs <= b.startMs ? a : b));
      oldest.startMs = nowMs;
      oldest.sprite.position.set(x, y, z);
      oldest.sprite.scale.setScalar(0.25 * speed);
    },

    onFrame: (update: (stampMs: number) => void) =>
      stage.onFrame((stampMs) => {
        nowMs = stampMs;
        update(stampMs);
        for (const { sprite, startMs } of lights) {
          sprite.material.opacity = 1 - (stampMs - startMs) / 1000 / LIGHTS.seconds;
          sprite.visible = sprite.material.opacity > 0;
        }
      }),
  };
}
