/** The names and the types of `@react-three/rapier`, in `betwixt/react`. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { repositoryRoot } from '../../scripts/child-process.js';
import { createConsumer } from './consumer.js';
import { missingNames, narrowerNames } from './peer-names.js';

/** Names that are missing on purpose, by the reason. */
const LISTED = new URL('missing-names.json', import.meta.url);

test('every name of the other package is there, but for what is missing on purpose', () => {
  const listed = JSON.parse(readFileSync(LISTED, 'utf8')) as Record<string, readonly string[]>;
  expect(missingNames().toSorted()).toEqual(Object.values(listed).flat().toSorted());
});

/** Handles are of the library's own classes, and these args have the type of a parameter. */
const NARROWER = [
  'ColliderOptions.args',
  'ColliderOptionsRequiredArgs.args',
  'InstancedRigidBodiesProps.instances',
  'RapierCollider.castCollider',
  'RapierCollider.contactCollider',
  'RapierCollider.parent',
  'RapierCollider.shape',
  'RapierRigidBody.collider',
  'UseImpulseJoint',
  'WorldStepCallback',
];

test('every type and member takes what that of the other package takes, but for handles of own classes', () => {
  expect(narrowerNames().toSorted()).toEqual(NARROWER);
});

const consumer = createConsumer(
  'three',
  '@types/three',
  'react',
  '@types/react',
  '@react-three/fiber',
  '@react-three/rapier',
  'rapier3d-compat-0.19',
);
afterAll(() => consumer.remove());

/** An application that uses every component and hook, and the world. */
const APPLICATION = join(repositoryRoot, 'tests/react/every-name');

test.each(['@react-three/rapier', 'betwixt/react'])(
  'the same application compiles with %s: only the import differs',
  async (name) => {
    const folder = name.replace('/', '-');
    const files = readdirSync(APPLICATION).map((file) => {
      const text = readFileSync(join(APPLICATION, file), 'utf8');
      expect(text).toContain("'betwixt/react'");
      consumer.write(`${folder}/${file}`, text.replaceAll("'betwixt/react'", `'${name}'`));
      return file;
    });
    expect(files.length).toBeGreaterThan(2);
    const options = {
      jsx: 'react-jsx',
      noUnusedLocals: true,
      skipLibCheck: true,
      // The version that the other package has.
      paths: { '@dimforge/rapier3d-compat': ['../node_modules/rapier3d-compat-0.19'] },
    };
    expect(await consumer.compile({ files }, options, folder)).toBe('');
  },
);
