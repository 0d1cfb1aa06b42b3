/** `betwixt/react` on a server: the built package, in plain Node. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { packageFolder, readManifest } from '../../scripts/package/package-layout.js';
import { createConsumer } from './consumer.js';

const execute = promisify(execFile);
const consumer = createConsumer('three', 'react', 'react-dom', '@react-three/fiber');
afterAll(() => consumer.remove());

test("the first statement of the built entry is 'use client'", () => {
  const source = readManifest().exports['./react'] as string;
  const built = source.replace('src/', 'dist/').replace(/\.ts$/, '.js');
  const code = readFileSync(join(packageFolder, built), 'utf8');
  expect(code.replace(/^(?:\s|\/\*[\s\S]*?\*\/|\/\/.*)*/, '')).toMatch(/^['"]use client['"];/);
});

/** In the place of a canvas, of which a server renders no content: fiber's hooks work, and a component has the world. */
const SCENE = `
import { createElement as h, useRef } from 'react';
import { renderToString } from 'react-dom/server';
import { Canvas, context } from '@react-three/fiber';
import * as react from 'betwixt/react';
import { RigidBodyDesc } from 'betwixt/world';

for (const name of ['window', 'document', 'Worker', 'self', 'requestAnimationFrame']) {
  if (name in globalThis) throw new Error(name + ' exists');
}
const state = { frameloop: 'always', invalidate() {}, gl: {}, internal: { subscribe() {} } };
const store = Object.assign((select) => select(state), { getState: () => state });

function Everything() {
  const [one, two] = [useRef(null), useRef(null)];
  react.useSphericalJoint(one, two, [[0, 0, 0], [0, 1, 0]]);
  react.useBeforePhysicsStep(() => {});
  return h('group', null,
    h(react.RigidBody, { ref: one, position: [0, 1, 0] }, h(react.BallCollider, { args: [1] })),
    h(react.RigidBody, { ref: two }),
    h(react.InstancedRigidBodies, { instances: [{ key: 0 }] }, h('instancedMesh')),
    h(react.Attractor, {}));
}
function Reader() {
  const { world } = react.useRapier();
  return h('b', null, world.bodies.len() + ' bodies');
}
const inPhysics = (content, props) =>
  // With queries it suspends, as in the browser.
  renderToString(h(context.Provider, { value: store }, h(react.Physics, { queries: false, ...props }, content)));
`;

test('components and hooks render without a window, useRapier().world is a world, and the process ends', async () => {
  const script = `${SCENE}
    console.log(inPhysics(h(Everything), { debug: true, paused: true }).includes('<group>'));
    console.log(renderToString(h(Canvas, null, h(react.Physics, null, h(Everything)))).startsWith('<div'));
    console.log(inPhysics(h(Reader)));
    process.on('exit', (code) => console.log('exit', code));
  `;
  const { stdout, stderr } = await execute(
    process.execPath,
    // Fiber has a module of the older kind, which requires three.
    ['--disable-warning=THREE_CJS_DEPRECATED', '--input-type=module', '--eval', script],
    // In development, React warns of elements that are none of HTML.
    { cwd: consumer.folder, env: { ...process.env, NODE_ENV: 'production' } },
  );
  expect(stdout.trim().split('\n')).toEqual(['true', 'true', '<b>0 bodies</b>', 'exit 0']);
  expect(stderr).toBe('');
});
