/**
 * A three.js scene with a grid, and one ball for the first body. It is not on the examples' stage: the ground there would hide
 * half of a moon's orbit, and the sky would hide the document's own background, which is light or dark.
 */
import * as THREE from 'three';

export const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);

export const camera = new THREE.PerspectiveCamera(50, innerWidth / innerHeight, 0.1, 100);
camera.position.set(0, 2, 6);
camera.lookAt(0, 1, 0);

export const mesh = new THREE.Mesh(
  // Few faces show how it turns.
  new THREE.IcosahedronGeometry(0.5, 1),
  new THREE.MeshNormalMaterial({ flatShading: true }),
);
export const scene = new THREE.Scene();
scene.add(new THREE.GridHelper(10, 10, 0x808892, 0x808892));
