/**
 * A material that is lit only at its vertices, by the lights of lights.ts and without shadows:
 * between vertices the light is interpolated, which costs next to nothing where the CPU shades
 * pixels. Its colours match three's matt material.
 */
import {
  Color,
  type DataTexture,
  MeshBasicMaterial,
  type MeshBasicMaterialParameters,
  Vector3,
} from 'three';
import { SKY_LIGHT, SUN, TO_SUN } from './lights.js';
import { FOG, HORIZON } from './sky.js';

const uniforms = {
  toSun: { value: new Vector3().copy(TO_SUN) },
  sunLight: { value: lightOf(SUN.color, SUN.intensity) },
  skyLight: { value: lightOf(SKY_LIGHT.sky, SKY_LIGHT.intensity) },
  groundLight: { value: lightOf(SKY_LIGHT.ground, SKY_LIGHT.intensity) },
};

const fogUniforms = {
  horizon: { value: HORIZON },
  fogNear: { value: FOG.near },
  fogFar: { value: FOG.far },
};

const DECLARATIONS = /* glsl */ `
uniform vec3 toSun;
uniform vec3 sunLight;
uniform vec3 skyLight;
uniform vec3 groundLight;
`;

const TEXTURE_DECLARATIONS = /* glsl */ `
uniform highp sampler2D bodyMatrices;
attribute float body;
uniform vec3 horizon;
uniform float fogNear;
uniform float fogFar;
`;

/** In world space, where meshes of many bodies are already. Back faces are lit as such. */
const LIGHTING = /* glsl */ `
#ifdef USE_INSTANCING
  mat4 place = instanceMatrix;
#endif
#ifdef BODIES_IN_TEXTURE
  int bodyRow = int(body + 0.5);
  mat4 place = mat4(
    texelFetch(bodyMatrices, ivec2(0, bodyRow), 0),
    texelFetch(bodyMatrices, ivec2(1, bodyRow), 0),
    texelFetch(bodyMatrices, ivec2(2, bodyRow), 0),
    texelFetch(bodyMatrices, ivec2(3, bodyRow), 0)
  );
#endif
#if !defined(USE_INSTANCING) && !defined(BODIES_IN_TEXTURE)
  mat4 place = modelMatrix;
#endif
vec3 litNormal = normal / vec3(
  dot(place[0].xyz, place[0].xyz), dot(place[1].xyz, place[1].xyz), dot(place[2].xyz, place[2].xyz)
);
litNormal = normalize(mat3(place) * litNormal);
#ifdef DOUBLE_SIDED
  litNormal *= sign(dot(cameraPosition - (place * vec4(position, 1.0)).xyz, litNormal));
#endif
vColor.rgb *= mix(groundLight, skyLight, 0.5 * litNormal.y + 0.5) +
  sunLight * max(0.0, dot(litNormal, toSun));
`;

const PROJECTION_FROM_TEXTURE = /* glsl */ `
vec4 mvPosition = viewMatrix * (place * vec4(transformed, 1.0));
gl_Position = projectionMatrix * mvPosition;
vColor.rgb = mix(vColor.rgb, horizon, smoothstep(fogNear, fogFar, -mvPosition.z));
`;

/** @param look It has vertex colours, or is for instances with separate colours. */
export function createVertexLitMaterial(look: MeshBasicMaterialParameters): MeshBasicMaterial {
  const material = new MeshBasicMaterial(look);
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = DECLARATIONS + lit(shader.vertexShader);
  };
  material.customProgramCacheKey = () => 'lit at vertices';
  return material;
}

/**
 * The same for many bodies in one geometry, with vertex colours, where the attribute `body` says
 * which row of a texture has a vertex's matrix. Fog, too, is computed at vertices: only a colour is
 * passed on to the pixels, because each further number makes every triangle more expensive.
 *
 * @param matrices Four pixels a row: the columns of a matrix.
 */
export function createInTextureMaterial(matrices: DataTexture): MeshBasicMaterial {
  const material = new MeshBasicMaterial({ vertexColors: true, fog: false });
  material.defines = { BODIES_IN_TEXTURE: '' };
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms, fogUniforms, { bodyMatrices: { value: matrices } });
    shader.vertexShader =
      DECLARATIONS +
      TEXTURE_DECLARATIONS +
      lit(shader.vertexShader).replace('#include <project_vertex>', PROJECTION_FROM_TEXTURE);
  };
  material.customProgramCacheKey = () => 'lit at vertices, bodies in a texture';
  return material;
}

function lit(vertexShader: string): string {
  return vertexShader.replace('#include <color_vertex>', `#include <color_vertex>\n${LIGHTING}`);
}

/** Light as a matt surface reflects it: a share of 1/π in each direction. */
function lightOf(color: number, intensity: number): Color {
  return new Color(color).multiplyScalar(intensity / Math.PI);
}
