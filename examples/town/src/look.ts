/** How the town looks: an evening sky, the sun with its shadows, and painted surfaces. */
import * as THREE from 'three';
import { painted } from '../../stage/stage.js';
import { makeSea } from './sea.js';

/** Towards the sun. */
const SUN = new THREE.Vector3(-0.72, 0.44, 0.4).normalize();
const HAZE = '#f2d3a7';
/** How far from the character there are shadows, in m. */
const REACH_M = 30;
const SHADOW_PIXELS = 2048;

/** The same picture each time. */
let seed = 3;
const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
const grey = (value: number): string => `hsl(38 14% ${value}%)`;

/** Rows of stones, as large as `size` in parts of the picture. */
const stones = (rows: number, length: number, [dark, light]: readonly [number, number]) =>
  painted(512, 512, (context) => {
    context.fillStyle = grey(dark);
    context.fillRect(0, 0, 512, 512);
    const height = 512 / rows;
    for (let row = 0; row < rows; row++) {
      const count = Math.round(512 / (height * length));
      for (let stone = 0; stone < count; stone++) {
        const width = 512 / count;
        const x = (stone + (row % 2) / 2 + 0.16 * (random() - 0.5)) * width;
        context.fillStyle = grey(light + 12 * (random() - 0.5));
        for (const left of [x, x - 512]) {
          context.beginPath();
          context.roundRect(left + 1.5, row * height + 1.5, width - 3, height - 3, height / 5);
          context.fill();
        }
      }
    }
    speckle(context, 900, 3, 0.05);
  });

/** Spots, which make plain colors old. */
function speckle(context: CanvasRenderingContext2D, count: number, size: number, strength: number) {
  for (let spot = 0; spot < count; spot++) {
    const [x, y, radius] = [random() * 512, random() * 512, size * (0.3 + random())];
    context.fillStyle =
      random() < 0.5 ? `rgb(90 60 30 / ${strength})` : `rgb(255 250 235 / ${strength})`;
    for (const left of [x, x - 512, x + 512]) {
      context.beginPath();
      context.ellipse(left, y, radius, radius * (0.5 + random()), 0, 0, 7);
      context.fill();
    }
  }
}

const plaster = (): THREE.Texture =>
  painted(512, 512, (context) => {
    context.fillStyle = grey(95);
    context.fillRect(0, 0, 512, 512);
    speckle(context, 90, 60, 0.016);
    speckle(context, 500, 6, 0.03);
  });

/** A matte material with the colors of the model, and a picture that lies on it by its place in the world. */
function surface(picture?: THREE.Texture, sizeM = 1): THREE.Material {
  const material = new THREE.MeshLambertMaterial({ vertexColors: true, flatShading: true });
  if (picture === undefined) return material;
  material.onBeforeCompile = (shader) => {
    shader.uniforms['picture'] = { value: picture };
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec3 place;')
      .replace(
        '#include <project_vertex>',
        '#include <project_vertex>\nplace = (modelMatrix * vec4(transformed, 1.0)).xyz;',
      );
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        '#include <common>\nvarying vec3 place;\nuniform sampler2D picture;',
      )
      .replace(
        '#include <color_fragment>',
        `#include <color_fragment>
        vec3 face = abs(normalize(cross(dFdx(place), dFdy(place))));
        vec2 at = face.y > 0.6 ? place.xz : face.x > face.z ? place.zy : place.xy;
        diffuseColor.rgb *= texture2D(picture, at / ${sizeM.toFixed(2)}).rgb;`,
      );
  };
  return material;
}

let materials: Readonly<Record<string, THREE.Material>> | undefined;

/** Gives the meshes of the model their materials, by the names of those in the file. */
export function paint(model: THREE.Object3D): void {
  materials ??= {
    Matte: surface(),
    Plaster: surface(plaster(), 5),
    Paving: surface(stones(16, 1.4, [74, 93]), 3.1),
    Stone: surface(stones(8, 2, [76, 93]), 2.4),
    Glow: new THREE.MeshBasicMaterial({ vertexColors: true }),
  };
  // A model may be painted again.
  for (const [name, material] of Object.entries(materials)) material.name = name;
  model.traverse((object) => {
    if (!(object instanceof THREE.Mesh)) return;
    const { name } = object.material as THREE.Material;
    object.material = materials?.[name] ?? object.material;
    // Roofs have shadows without their tiles.
    object.castShadow = name !== 'Glow' && !/^(Hills|Tiles)/.test(object.name);
    object.receiveShadow = name !== 'Glow';
  });
}

/** Pale at the horizon, bright around the sun, with thin clouds. */
function sky(): THREE.Texture {
  const [width, height] = [1024, 512];
  const texture = painted(width, height, (context) => {
    const air = context.createLinearGradient(0, 0, 0, height);
    for (const [at, color] of [
      [0, '#2f6fae'],
      [0.3, '#6aa6cf'],
      [0.42, '#a9cbd6'],
      [0.475, '#ecdcc0'],
      [0.5, HAZE],
      [1, '#c9a67c'],
    ] as const) {
      air.addColorStop(at, color);
    }
    context.fillStyle = air;
    context.fillRect(0, 0, width, height);
    for (let cloud = 0; cloud < 60; cloud++) {
      const [x, y] = [random() * width, height * (0.3 + 0.17 * random())];
      const [wide, high] = [40 + 110 * random(), 2 + 5 * random()];
      context.fillStyle = `rgb(255 ${225 + 20 * random()} ${190 + 30 * random()} / 16%)`;
      for (const left of [x, x - width, x + width]) {
        context.beginPath();
        context.ellipse(left, y, wide, high, 0, 0, 7);
        context.ellipse(left + wide * 0.3, y - high * 0.7, wide * 0.5, high, 0, 0, 7);
        context.fill();
      }
    }
    const x = (Math.atan2(SUN.z, SUN.x) / (2 * Math.PI) + 0.5) * width;
    const y = (0.5 - Math.asin(SUN.y) / Math.PI) * height;
    for (const left of [x, x - width, x + width]) {
      const glow = context.createRadialGradient(left, y, 4, left, y, 170);
      glow.addColorStop(0, 'rgb(255 246 214 / 100%)');
      glow.addColorStop(0.06, 'rgb(255 236 190 / 80%)');
      glow.addColorStop(0.3, 'rgb(255 220 160 / 32%)');
      glow.addColorStop(1, 'rgb(255 214 150 / 0%)');
      context.fillStyle = glow;
      context.fillRect(0, 0, width, height);
    }
  });
  texture.mapping = THREE.EquirectangularReflectionMapping;
  return texture;
}

/** Light, sky, fog and sea. */
export function furnish(scene: THREE.Scene) {
  const background = sky();
  scene.background = background;
  scene.fog = new THREE.Fog(HAZE, 45, 330);
  const sun = new THREE.DirectionalLight(0xffd9a0, 3.4);
  sun.castShadow = true;
  sun.shadow.mapSize.setScalar(SHADOW_PIXELS);
  sun.shadow.radius = 1.5;
  sun.shadow.normalBias = 0.04;
  const sides = { left: -REACH_M, right: REACH_M, top: REACH_M, bottom: -REACH_M, far: 160 };
  Object.assign(sun.shadow.camera, sides);
  const sea = makeSea(SUN);
  const skyLight = new THREE.HemisphereLight(0xc4d6ea, 0xc79d70, 2);
  scene.add(sun, sun.target, skyLight, sea.mesh);
  const toLight = new THREE.Matrix4().lookAt(SUN, new THREE.Vector3(), THREE.Object3D.DEFAULT_UP);
  const fromLight = toLight.clone();
  toLight.transpose();
  return {
    /** The sun and the waves, in each frame. */
    update(target: THREE.Vector3, seconds: number): void {
      // By whole pixels of the shadows, whose edges would flicker otherwise.
      const pixelM = (2 * REACH_M) / SHADOW_PIXELS;
      const at = sun.target.position.copy(target).applyMatrix4(toLight).divideScalar(pixelM);
      at.round().multiplyScalar(pixelM).applyMatrix4(fromLight);
      sun.position.copy(SUN).multiplyScalar(80).add(at);
      sea.move(seconds);
    },
    dispose(): void {
      scene.remove(sun, sun.target, skyLight, sea.mesh);
      for (const made of [sun, background, sea.mesh.geometry, sea.mesh.material]) made.dispose();
    },
  };
}
