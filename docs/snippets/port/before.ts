import { Mesh, SphereGeometry, MeshNormalMaterial } from 'three';
import { camera, renderer, scene } from '../scene.js'; // your three.js scene

const balls = Array.from({ length: 20 }, () => {
  const ball = new Mesh(new SphereGeometry(0.2), new MeshNormalMaterial());
  scene.add(ball);
  return { ball, x: Math.random() * 4 - 2, y: 0 };
});
let lastMs = performance.now();

document.addEventListener('keydown', ({ code }) => {
  if (code === 'Space') for (const moving of balls) moving.y = 6;
});

renderer.setAnimationLoop((stamp) => {
  const dt = (stamp - lastMs) / 1000;
  lastMs = stamp;
  for (const moving of balls) {
    const { position } = moving.ball;
    moving.y -= 9.81 * dt;
    position.x += moving.x * dt;
    position.y += moving.y * dt;
    if (Math.abs(position.x) > 4) moving.x = -Math.sign(position.x) * Math.abs(moving.x);
    if (position.y < 0) moving.y = 0.8 * Math.abs(moving.y);
  }
  renderer.render(scene, camera);
});
