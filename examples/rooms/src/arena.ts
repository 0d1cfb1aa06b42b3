/** The picture: the disc, the balls with their names, and where the server has them. */
import type { SampledFrame } from 'betwixt';
import type { RoomHandle } from 'betwixt/colyseus';
import type { BodyId } from 'betwixt/shared';
import { BodyBinding, planeCoordinates, watchContext } from 'betwixt/three';
import * as THREE from 'three';
import { furnish, painted } from '../../stage/stage.js';
import { COLORS } from './colors.js';
import { BENCH, DISC, SEATS, type Look } from './simulation.js';

/** The parts of a simulation that the picture needs. */
type Source = Pick<
  RoomHandle<Record<never, never>, Record<never, never>, Look>,
  'bodies' | 'on'
> & {
  readonly room: Pick<RoomHandle['room'], 'seat' | 'confirmedPose'>;
};

/** A player's objects in the picture. */
interface Drawn {
  readonly seat: number;
  readonly mesh: THREE.Mesh;
  readonly label: THREE.Sprite;
  readonly ghost: THREE.Mesh;
}

const TOP = DISC.height / 2;
/** Half of what must fit into the width of the picture, and into its height, in m. */
const HALF_WIDTH = 7.4;
const HALF_HEIGHT = 7.6;
const LABEL_HEIGHT = 0.62;
const OUT_OPACITY = 0.45;

export class Arena {
  readonly #renderer: THREE.WebGLRenderer;
  readonly #scene = new THREE.Scene();
  readonly #camera = new THREE.PerspectiveCamera(38, 1, 1, 200);
  readonly #ballGeometry = new THREE.SphereGeometry(1, 40, 28);
  readonly #ghostGeometry = new THREE.IcosahedronGeometry(1.03, 2);
  readonly #ring: THREE.Mesh;
  readonly #drawn = new Map<BodyId, Drawn>();
  #bodies = new BodyBinding();
  #source: Source | undefined;
  readonly #pose = new Float64Array(7);
  /** Whether the server's newest state is drawn, too. */
  hasGhosts = false;
  /** Where pointers point, on the top of the disc. */
  readonly coordinates = planeCoordinates(
    this.#camera,
    new THREE.Plane(new THREE.Vector3(0, 1, 0), -TOP - 0.6),
  );

  constructor(canvas: HTMLCanvasElement) {
    this.#renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    watchContext(canvas);
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    // The disc is in the sky.
    furnish(this.#scene, 11).ground.visible = false;
    this.#scene.add(disc(), bench());
    this.#ring = new THREE.Mesh(
      new THREE.RingGeometry(0.72, 0.82, 48).rotateX(-Math.PI / 2),
      new THREE.MeshBasicMaterial({ color: 'white', transparent: true, opacity: 0.85 }),
    );
    this.#ring.visible = false;
    this.#scene.add(this.#ring);
    new ResizeObserver(() => this.#resize(canvas)).observe(canvas);
    this.#resize(canvas);
  }

  /** Shows a simulation in place of the one before. */
  show(source: Source): void {
    this.clear();
    this.#source = source;
    this.#bodies = new BodyBinding();
    this.#bodies.populate(source, (look: Look, id: BodyId) => this.#make(look, id), {
      parent: this.#scene,
      onRemove: (_, id) => this.#remove(id),
    });
  }

  /** Removes all balls. */
  clear(): void {
    this.#bodies.clear();
    for (const [id, { mesh }] of this.#drawn) {
      this.#scene.remove(mesh);
      this.#remove(id);
    }
    this.#ring.visible = false;
    this.#source = undefined;
  }

  /** @param isOut By seat. */
  draw(frame: SampledFrame | undefined, isOut: readonly boolean[]): void {
    const own = this.#source?.room.seat;
    if (frame !== undefined) this.#bodies.update(frame);
    for (const [id, { seat, mesh, label, ghost }] of this.#drawn) {
      const isFaded = isOut[seat] === true;
      setOpacity(mesh, isFaded ? OUT_OPACITY : 1);
      label.material.opacity = isFaded ? OUT_OPACITY : 1;
      label.position.copy(mesh.position).setY(mesh.position.y + 1.05);
      label.visible = mesh.visible;
      this.#placeGhost(id, ghost);
      if (seat !== own) continue;
      this.#ring.visible = mesh.visible && !isFaded;
      this.#ring.position.copy(mesh.position).setY(mesh.position.y - 0.56);
    }
    this.#renderer.render(this.#scene, this.#camera);
  }

  #placeGhost(id: BodyId, ghost: THREE.Mesh): void {
    const pose = this.hasGhosts ? this.#source?.room.confirmedPose(id, this.#pose) : undefined;
    ghost.visible = pose !== undefined;
    if (pose === undefined) return;
    const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1] = pose;
    ghost.position.set(x, y, z);
    ghost.quaternion.set(qx, qy, qz, qw);
  }

  #make(look: Look, id: BodyId): THREE.Object3D {
    // The disc is always drawn, also before there is a room.
    if (look.shape === 'disc') return new THREE.Object3D();
    const { seat, name, radius } = look;
    const color = COLORS[seat % SEATS] ?? 'white';
    const mesh = new THREE.Mesh(
      this.#ballGeometry,
      new THREE.MeshStandardMaterial({
        map: ballTexture(color),
        roughness: 0.35,
        transparent: true,
      }),
    );
    mesh.scale.setScalar(radius);
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    const { texture, aspect } = labelTexture(name, color);
    const label = new THREE.Sprite(new THREE.SpriteMaterial({ map: texture, depthTest: false }));
    label.scale.set(aspect * LABEL_HEIGHT, LABEL_HEIGHT, 1);
    label.renderOrder = 1;
    const ghost = new THREE.Mesh(
      this.#ghostGeometry,
      new THREE.MeshBasicMaterial({ color, wireframe: true, transparent: true, opacity: 0.55 }),
    );
    ghost.scale.setScalar(radius);
    ghost.visible = false;
    this.#scene.add(label, ghost);
    this.#drawn.set(id, { seat, mesh, label, ghost });
    return mesh;
  }

  #remove(id: BodyId): void {
    const drawn = this.#drawn.get(id);
    if (drawn === undefined) return;
    this.#drawn.delete(id);
    const { mesh, label, ghost } = drawn;
    this.#scene.remove(label, ghost);
    for (const { material } of [mesh, label, ghost]) {
      for (const one of [material].flat()) {
        (one as THREE.MeshStandardMaterial).map?.dispose();
        one.dispose();
      }
    }
    if (drawn.seat === this.#source?.room.seat) this.#ring.visible = false;
  }

  #resize(canvas: HTMLCanvasElement): void {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0 || height === 0) return;
    this.#renderer.setSize(width, height, false);
    this.#camera.aspect = width / height;
    const tangent = Math.tan((this.#camera.fov * Math.PI) / 360);
    const distance = Math.max(HALF_WIDTH / (tangent * this.#camera.aspect), HALF_HEIGHT / tangent);
    const direction = new THREE.Vector3(0, 0.78, 0.62).normalize();
    this.#camera.position.copy(direction.multiplyScalar(distance));
    this.#camera.position.z -= 0.8;
    this.#camera.lookAt(0, 0, -1);
    this.#camera.updateProjectionMatrix();
  }
}

function setOpacity({ material }: THREE.Mesh, opacity: number): void {
  (material as THREE.MeshStandardMaterial).opacity = opacity;
}

function disc(): THREE.Object3D {
  const side = new THREE.MeshStandardMaterial({ color: '#7a5236', roughness: 0.9 });
  const top = new THREE.MeshStandardMaterial({ map: discTexture(), roughness: 0.95 });
  const body = new THREE.Mesh(
    new THREE.CylinderGeometry(DISC.radius, DISC.radius * 0.94, DISC.height * 3, 96),
    [side, top, side],
  );
  // The disc's top is where the simulation has it.
  body.position.y = -DISC.height;
  body.receiveShadow = true;
  const rope = new THREE.Mesh(
    new THREE.TorusGeometry(DISC.radius - 0.12, 0.07, 12, 96).rotateX(Math.PI / 2),
    new THREE.MeshStandardMaterial({ color: '#f0dca0', roughness: 1 }),
  );
  rope.position.y = TOP;
  rope.receiveShadow = true;
  return new THREE.Group().add(body, rope);
}

function bench(): THREE.Object3D {
  const mesh = new THREE.Mesh(
    new THREE.BoxGeometry(SEATS * BENCH.step + 0.4, 0.4, 1.6),
    new THREE.MeshStandardMaterial({ color: '#4a3a30', roughness: 0.9 }),
  );
  mesh.position.set(0, BENCH.y - 0.2, BENCH.z);
  mesh.receiveShadow = true;
  return mesh;
}

/** A face and a belt, which show how it rolls. */
const ballTexture = (color: string): THREE.CanvasTexture =>
  painted(256, 128, (context) => {
    context.fillStyle = color;
    context.fillRect(0, 0, 256, 128);
    context.fillStyle = 'rgb(255 255 255 / 85%)';
    context.fillRect(0, 78, 256, 14);
    context.fillStyle = '#2b1c15';
    // Hair on top.
    context.fillRect(0, 0, 256, 18);
    for (const x of [64 - 14, 64 + 14]) {
      context.beginPath();
      context.ellipse(x, 50, 5, 8, 0, 0, 2 * Math.PI);
      context.fill();
    }
  });

const discTexture = (): THREE.CanvasTexture =>
  painted(1024, 1024, (context) => {
    const clay = context.createRadialGradient(512, 512, 60, 512, 512, 512);
    clay.addColorStop(0, '#d9ab7c');
    clay.addColorStop(1, '#b9855a');
    context.fillStyle = clay;
    context.fillRect(0, 0, 1024, 1024);
    context.strokeStyle = 'rgb(90 55 30 / 22%)';
    context.lineWidth = 2;
    for (let radius = 60; radius < 512; radius += 56) {
      context.beginPath();
      context.arc(512, 512, radius, 0, 2 * Math.PI);
      context.stroke();
    }
    context.fillStyle = 'rgb(255 255 255 / 75%)';
    for (const x of [462, 550]) context.fillRect(x, 447, 12, 130);
  });

const LABEL_PIXELS = 64;

function labelTexture(
  name: string,
  color: string,
): { readonly texture: THREE.CanvasTexture; readonly aspect: number } {
  const font = `600 40px system-ui, sans-serif`;
  const measure = document.createElement('canvas').getContext('2d');
  if (measure !== null) measure.font = font;
  const width = Math.ceil((measure?.measureText(name).width ?? 100) + 36);
  const texture = painted(width, LABEL_PIXELS, (context) => {
    context.fillStyle = 'rgb(17 20 26 / 72%)';
    context.beginPath();
    context.roundRect(0, 4, width, LABEL_PIXELS - 8, 18);
    context.fill();
    context.font = font;
    context.fillStyle = color;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText(name, width / 2, LABEL_PIXELS / 2 + 2);
  });
  return { texture, aspect: width / LABEL_PIXELS };
}
