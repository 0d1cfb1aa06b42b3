/** Pictures on balls, disc and labels, drawn by the page: nothing is downloaded. */
import * as THREE from 'three';

function draw(
  width: number,
  height: number,
  paint: (context: CanvasRenderingContext2D) => void,
): THREE.CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context !== null) paint(context);
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.anisotropy = 4;
  return texture;
}

/** A face and a belt, which show how it rolls. */
export const ballTexture = (color: string): THREE.CanvasTexture =>
  draw(256, 128, (context) => {
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

export const discTexture = (): THREE.CanvasTexture =>
  draw(1024, 1024, (context) => {
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

export function labelTexture(
  name: string,
  color: string,
): { readonly texture: THREE.CanvasTexture; readonly aspect: number } {
  const font = `600 40px system-ui, sans-serif`;
  const measure = document.createElement('canvas').getContext('2d');
  if (measure !== null) measure.font = font;
  const width = Math.ceil((measure?.measureText(name).width ?? 100) + 36);
  const texture = draw(width, LABEL_PIXELS, (context) => {
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
