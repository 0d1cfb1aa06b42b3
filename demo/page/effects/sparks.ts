/**
 * Sparks where something hits hard: a ring of points, of which the oldest make way for new ones.
 *
 * Everything lives in a few arrays that are there from the start; nothing is allocated for a hit or a frame.
 */
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Points,
  ShaderMaterial,
  Vector2,
  type Camera,
  type WebGLRenderer,
} from 'three';
import { Random } from '../../../src/shared/index.js';

/** Maximum number at the same time. */
export const SPARKS = 512;
/**
 * Maximum that begin in one frame: a thousand simultaneous impacts should look like a shower, not a
 * wall.
 */
const MAX_PER_FRAME = 96;
/** In seconds; none lives longer. */
const LIFE = { min: 0.2, max: 0.5 } as const;
const GLOW_SECONDS = 0.14;
/** m/s² and 1/s. */
const GRAVITY = 9.81;
const DRAG = 2.2;
/** Values of a hit with strength 0, and what strength 1 adds. Sizes in m, speed in m/s. */
const COUNT = [3, 26] as const;
const SPEED = [1.2, 6.5] as const;
const SIZE = [0.045, 0.08] as const;
const GLOW = [0.08, 0.85] as const;

const VERTEX_SHADER = /* glsl */ `
  attribute float size;
  attribute float heat;
  uniform float pixels;
  varying float vHeat;
  void main() {
    vHeat = heat;
    vec4 place = modelViewMatrix * vec4(position, 1.0);
    // Towards the viewer: the body that it flies from must not cut it in half.
    place.z += 0.5 * size;
    gl_Position = projectionMatrix * place;
    // Never thinner than a pixel can show; nothing for a spark that is over.
    float shown = size * (0.35 + 0.65 * heat);
    gl_PointSize = heat > 0.0 ? max(2.0, pixels * shown / gl_Position.w) : 0.0;
  }
`;

/**
 * Not additive: on light ground light cannot get lighter. A hot core in the colour of embers is
 * visible on light and on dark.
 */
const FRAGMENT_SHADER = /* glsl */ `
  varying float vHeat;
  void main() {
    float far = length(gl_PointCoord - 0.5) * 2.0;
    if (far >= 1.0 || vHeat <= 0.0) discard;
    vec3 ember = mix(vec3(0.86, 0.16, 0.02), vec3(1.0, 0.55, 0.05), vHeat);
    vec3 color = mix(vec3(1.0, 0.95, 0.7), ember, smoothstep(0.0, 0.6, far + 0.5 * (1.0 - vHeat)));
    float alpha = (1.0 - smoothstep(0.2, 1.0, far)) * min(1.0, 1.6 * vHeat);
    gl_FragColor = vec4(color, alpha);
  }
`;

const drawn = new Vector2();

export class Sparks {
  readonly points: Points<BufferGeometry, ShaderMaterial>;
  readonly #random = new Random(1);
  readonly #position = new Float32Array(SPARKS * 3);
  readonly #velocity = new Float32Array(SPARKS * 3);
  readonly #size = new Float32Array(SPARKS);
  /** 1 when it begins, 0 when it is over. */
  readonly #heat = new Float32Array(SPARKS);
  readonly #life = new Float32Array(SPARKS);
  readonly #attributes: readonly BufferAttribute[];
  #next = 0;
  #alive = 0;
  #budget = MAX_PER_FRAME;

  constructor() {
    const [position, size, heat] = [
      attributeOf(this.#position, 3),
      attributeOf(this.#size, 1),
      attributeOf(this.#heat, 1),
    ];
    this.#attributes = [position, size, heat];
    const geometry = new BufferGeometry()
      .setAttribute('position', position)
      .setAttribute('size', size)
      .setAttribute('heat', heat);
    const material = new ShaderMaterial({
      vertexShader: VERTEX_SHADER,
      fragmentShader: FRAGMENT_SHADER,
      uniforms: { pixels: { value: 1 } },
      transparent: true,
      depthWrite: false,
    });
    this.points = new Points(geometry, material);
    this.points.frustumCulled = false;
    this.points.renderOrder = 1;
    this.points.visible = false;
    this.points.onBeforeRender = (renderer, _scene, camera) => this.#measure(renderer, camera);
  }

  /** How many there are now, at most {@link SPARKS}. */
  get alive(): number {
    return this.#alive;
  }

  /**
   * Emits sparks from a place.
   *
   * @param strength 0 to 1: how many, how fast, how large.
   */
  burst(x: number, y: number, z: number, strength: number): void {
    const wanted = Math.round(COUNT[0] + COUNT[1] * strength);
    const count = Math.min(wanted, this.#budget);
    this.#budget -= count;
    if (count === 0) return;
    // The first is the glow of the hit itself.
    this.#add(x, y, z, 0, GLOW[0] + GLOW[1] * strength, GLOW_SECONDS);
    const random = this.#random;
    for (let index = 1; index < count; index++) {
      const speed = (SPEED[0] + SPEED[1] * strength) * random.between(0.35, 1);
      const size = (SIZE[0] + SIZE[1] * strength) * random.between(0.6, 1);
      this.#add(x, y, z, speed, size, random.between(LIFE.min, LIFE.max));
    }
  }

  /** @param dt Seconds since the last frame. */
  update(dt: number): void {
    this.#budget = MAX_PER_FRAME;
    if (this.#alive === 0) return;
    this.#alive = 0;
    const kept = 1 / (1 + DRAG * dt);
    for (let index = 0; index < SPARKS; index++) {
      const heat = this.#heat[index] ?? 0;
      if (heat === 0) continue;
      const left = heat - dt / (this.#life[index] ?? 1);
      this.#heat[index] = left > 0 ? left : 0;
      if (left > 0) this.#alive += 1;
      this.#move(index * 3, dt, kept);
    }
    this.#show();
  }

  clear(): void {
    this.#heat.fill(0);
    this.#alive = 0;
    this.#budget = MAX_PER_FRAME;
    this.#show();
  }

  /** @param speed In a random direction, mostly upwards. */
  #add(x: number, y: number, z: number, speed: number, size: number, lifeSeconds: number): void {
    const index = this.#next;
    this.#next = (index + 1) % SPARKS;
    const up = this.#random.between(-0.35, 1);
    const angle = this.#random.between(0, 2 * Math.PI);
    const flat = Math.sqrt(1 - up * up) * speed;
    const at = index * 3;
    this.#position[at] = x;
    this.#position[at + 1] = y;
    this.#position[at + 2] = z;
    this.#velocity[at] = Math.cos(angle) * flat;
    this.#velocity[at + 1] = up * speed;
    this.#velocity[at + 2] = Math.sin(angle) * flat;
    this.#size[index] = size;
    if (this.#heat[index] === 0) this.#alive += 1;
    this.#heat[index] = 1;
    this.#life[index] = lifeSeconds;
    this.#show();
  }

  #move(at: number, dt: number, kept: number): void {
    const [position, velocity] = [this.#position, this.#velocity];
    const [vx, vy, vz] = [velocity[at] ?? 0, velocity[at + 1] ?? 0, velocity[at + 2] ?? 0];
    position[at] = (position[at] ?? 0) + vx * dt;
    position[at + 1] = (position[at + 1] ?? 0) + vy * dt;
    position[at + 2] = (position[at + 2] ?? 0) + vz * dt;
    velocity[at] = vx * kept;
    // A glow stays where it is.
    velocity[at + 1] = vx === 0 && vz === 0 ? 0 : vy * kept - GRAVITY * dt;
    velocity[at + 2] = vz * kept;
  }

  #show(): void {
    this.points.visible = this.#alive > 0;
    for (const attribute of this.#attributes) attribute.needsUpdate = true;
  }

  /** How many pixels a metre takes at a distance of 1 m. */
  #measure(renderer: WebGLRenderer, camera: Camera): void {
    const height = renderer.getDrawingBufferSize(drawn).y;
    const { pixels } = this.points.material.uniforms;
    if (pixels) pixels.value = (height / 2) * (camera.projectionMatrix.elements[5] ?? 1);
  }
}

const attributeOf = (array: Float32Array, width: number): BufferAttribute =>
  new BufferAttribute(array, width).setUsage(DynamicDrawUsage);
