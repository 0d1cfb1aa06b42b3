import { expect, test } from 'vitest';
import { encodeAnimation } from '../../../scripts/picture/animated-webp.js';

const text = (value: string) => [...new TextEncoder().encode(value)];
const chunk = (name: string, content: readonly number[]) => [
  ...text(name),
  content.length,
  0,
  0,
  0, // little endian
  ...content,
  ...(content.length % 2 === 1 ? [0] : []),
];
/**
 * A still image with an alpha channel, as a canvas encodes it. The content of its chunks is never
 * decoded.
 */
const still = (seed: number) => {
  const chunks = [
    ...chunk(
      'VP8X',
      Array.from({ length: 10 }, () => 0),
    ),
    ...chunk('ALPH', [seed, 1, 2]),
    ...chunk('VP8 ', [seed, 3, 4, 5]),
  ];
  return Uint8Array.from(chunk('RIFF', [...text('WEBP'), ...chunks]));
};

test('an animated WebP file has a frame with the image data and the duration of each still image', () => {
  const file = encodeAnimation(300, 2, [
    { image: still(7), durationMs: 32 },
    { image: still(8), durationMs: 1000 },
  ]);
  const topLeft = [0, 0, 0, 0, 0, 0];
  const sizeLessOne = [43, 1, 0, 1, 0, 0];
  const blendOverPrevious = 0;
  const frame = (seed: number, duration: readonly number[]) =>
    chunk('ANMF', [
      ...topLeft,
      ...sizeLessOne,
      ...duration,
      blendOverPrevious,
      ...chunk('ALPH', [seed, 1, 2]),
      ...chunk('VP8 ', [seed, 3, 4, 5]),
    ]);
  expect([...file]).toEqual(
    chunk('RIFF', [
      ...text('WEBP'),
      ...chunk('VP8X', [0b10010, 0, 0, 0, ...sizeLessOne]),
      ...chunk('ANIM', [0, 0, 0, 0, 0, 0]),
      ...frame(7, [32, 0, 0]),
      ...frame(8, [232, 3, 0]),
    ]),
  );
});

test('an animation is refused for an image that is not a WebP file', () => {
  expect(() => encodeAnimation(1, 1, [{ image: Uint8Array.of(1), durationMs: 1 }])).toThrow(
    'not a WebP image',
  );
});
