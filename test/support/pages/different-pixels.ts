import { decodedPng } from './decoded-png';

/** The share of the pixels, from 0 to 1, whose colour differs; 1 if the pictures have different sizes. */
export function shareOfDifferentPixels(one: Buffer, other: Buffer): number {
  if (one.equals(other)) return 0;
  const [first, second] = [decodedPng(one), decodedPng(other)];
  if (first.width !== second.width || first.height !== second.height) return 1;
  const count = first.width * first.height;
  let different = 0;
  for (let pixel = 0; pixel < count; pixel += 1) if (colourAt(first, pixel) !== colourAt(second, pixel)) different += 1;
  return different / count;
}

const colourAt = ({ channels, pixels }: ReturnType<typeof decodedPng>, pixel: number): number =>
  pixels.readUIntBE(pixel * channels, 3);
