/** The sea: waves that mirror the sky and the sun. */
import * as THREE from 'three';

/** @param sun Where it is: a direction. */
export function makeSea(sun: THREE.Vector3) {
  const time = { value: 0 };
  const material = new THREE.ShaderMaterial({
    fog: true,
    uniforms: { ...THREE.UniformsUtils.clone(THREE.UniformsLib.fog), sun: { value: sun }, time },
    vertexShader: `
      #include <fog_pars_vertex>
      varying vec3 place;
      void main() {
        vec4 world = modelMatrix * vec4(position, 1.0);
        place = world.xyz;
        vec4 mvPosition = viewMatrix * world;
        gl_Position = projectionMatrix * mvPosition;
        #include <fog_vertex>
      }`,
    fragmentShader: `
      #include <common>
      #include <fog_pars_fragment>
      varying vec3 place;
      uniform vec3 sun;
      uniform float time;
      vec2 wave(vec2 at, float turn, float length, float pace) {
        vec2 way = vec2(cos(turn), sin(turn));
        return way * cos(dot(at, way) * 6.2832 / length + time * pace);
      }
      void main() {
        vec3 eye = cameraPosition - place;
        float far = length(eye);
        eye /= far;
        // Bent, so that no line is straight.
        vec2 at = place.xz + 0.9 * sin(place.zx * 0.43 + time * 0.2) + 0.35 * sin(place.zx * 1.7 - time * 0.3);
        vec2 slope = 0.035 * (wave(at, 0.6, 5.3, 1.1) + wave(at, 2.1, 3.7, 1.4) + wave(at, 1.2, 2.3, 1.7));
        slope += 0.03 * (wave(at, 2.9, 1.37, 2.3) + wave(at, 0.1, 0.91, 2.9));
        slope += 0.03 * (wave(at, 1.7, 0.59, 3.3) + wave(at, 2.5, 0.41, 3.9)) * smoothstep(40.0, 5.0, far);
        vec3 normal = normalize(vec3(slope.x, 1.0 + far * 0.012, slope.y));
        float mirror = 0.04 + 0.96 * pow(1.0 - max(dot(normal, eye), 0.0), 4.0);
        vec3 seen = reflect(-eye, normal);
        vec3 sky = mix(vec3(0.92, 0.68, 0.42), vec3(0.16, 0.38, 0.6), smoothstep(0.0, 0.5, seen.y));
        vec3 water = mix(vec3(0.01, 0.09, 0.11), vec3(0.04, 0.2, 0.2), 0.5 + 4.0 * slope.x);
        vec3 color = mix(water, sky, min(mirror, 0.7));
        color += vec3(1.0, 0.78, 0.45) * pow(max(dot(seen, sun), 0.0), 90.0) * 1.6;
        gl_FragColor = vec4(color, 1.0);
        #include <tonemapping_fragment>
        #include <colorspace_fragment>
        #include <fog_fragment>
      }`,
  });
  const mesh = new THREE.Mesh(new THREE.PlaneGeometry(1600, 1600).rotateX(-Math.PI / 2), material);
  mesh.position.set(-300, -1.7, 0);
  return { mesh, move: (seconds: number) => (time.value = seconds) };
}
