/**
 * A material that is lit at its vertices alone, by the lights of lights.ts and without shadows: between vertices the
 * light is blended, which costs next to nothing where pixels are shaded on the CPU. Its colours are those of three's
 * matt material.
 */
import { Color, MeshBasicMaterial, type MeshBasicMaterialParameters, Vector3 } from 'three';
import { SKY_LIGHT, SUN, TO_SUN } from './lights.js';

const uniforms = {
  toSun: { value: new Vector3().copy(TO_SUN) },
  sunLight: { value: lightOf(SUN.color, SUN.intensity) },
  skyLight: { value: lightOf(SKY_LIGHT.sky, SKY_LIGHT.intensity) },
  groundLight: { value: lightOf(SKY_LIGHT.ground, SKY_LIGHT.intensity) },
};

const DECLARATIONS = /* glsl */ `
uniform vec3 toSun;
uniform vec3 sunLight;
uniform vec3 skyLight;
uniform vec3 groundLight;
`;

/** In world space. What is seen from behind is lit as it is seen. */
const LIGHTING = /* glsl */ `
vec3 litNormal = normal;
#ifdef USE_INSTANCING
  mat3 turn = mat3(instanceMatrix);
  litNormal /= vec3(dot(turn[0], turn[0]), dot(turn[1], turn[1]), dot(turn[2], turn[2]));
  litNormal = turn * litNormal;
#endif
litNormal = normalize(mat3(modelMatrix) * litNormal);
#ifdef DOUBLE_SIDED
  vec4 litPlace = vec4(position, 1.0);
  #ifdef USE_INSTANCING
    litPlace = instanceMatrix * litPlace;
  #endif
  litNormal *= sign(dot(cameraPosition - (modelMatrix * litPlace).xyz, litNormal));
#endif
vColor.rgb *= mix(groundLight, skyLight, 0.5 * litNormal.y + 0.5) +
  sunLight * max(0.0, dot(litNormal, toSun));
`;

/** @param look It has vertex colours, or is for instances that have colours of their own. */
export function createVertexLitMaterial(look: MeshBasicMaterialParameters): MeshBasicMaterial {
  const material = new MeshBasicMaterial(look);
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader =
      DECLARATIONS +
      shader.vertexShader.replace(
        '#include <color_vertex>',
        `#include <color_vertex>\n${LIGHTING}`,
      );
  };
  material.customProgramCacheKey = () => 'lit at vertices';
  return material;
}

/** Light as a matt surface gives it back: a share of 1/π in each direction. */
function lightOf(color: number, intensity: number): Color {
  return new Color(color).multiplyScalar(intensity / Math.PI);
}
