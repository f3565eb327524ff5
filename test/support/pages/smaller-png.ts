import { crc32, deflateSync } from 'node:zlib';
import { decodedPng, PNG_SIGNATURE } from './decoded-png';

const PALETTE_COLOURS = 256;

/**
 * Reduces a picture to at most 256 colours, which makes the file about two thirds smaller. 256 colours are enough for a
 * page without photographs.
 */
export function smallerPng(png: Buffer): Buffer {
  const { width, height, channels, pixels } = decodedPng(png);
  const colours = Uint32Array.from({ length: pixels.length / channels }, (_, at) =>
    pixels.readUIntBE(at * channels, 3),
  );
  const palette = mostUsed(colours);
  const indices = Buffer.from(Uint8Array.from(colours, nearestIn(palette)));
  return encoded(width, height, Buffer.from(palette.flatMap(parts)), indices);
}

/**
 * The 256 most frequent colours. Areas keep their colours; each rare shade at the edge of a letter is replaced by the
 * nearest colour.
 */
function mostUsed(colours: Uint32Array): readonly number[] {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  return [...counts.entries()]
    .sort(([, one], [, other]) => other - one)
    .slice(0, PALETTE_COLOURS)
    .map(([colour]) => colour);
}

function nearestIn(palette: readonly number[]): (colour: number) => number {
  const known = new Map(palette.map((colour, index) => [colour, index]));
  const parted = palette.map(parts);
  const search = (colour: number) => {
    const wanted = parts(colour);
    const distances = parted.map((each) => each.reduce((sum, part, at) => sum + (part - wanted[at]!) ** 2, 0));
    return distances.indexOf(Math.min(...distances));
  };
  return (colour) => {
    const index = known.get(colour) ?? search(colour);
    known.set(colour, index);
    return index;
  };
}

const parts = (colour: number): [number, number, number] => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];

function encoded(width: number, height: number, palette: Buffer, indices: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8); // the palette format: one byte for each pixel
  const lines = Buffer.alloc(height * (width + 1));
  for (let line = 0; line < height; line += 1)
    indices.copy(lines, line * (width + 1) + 1, line * width, (line + 1) * width);
  const chunks = [chunk('IHDR', header), chunk('PLTE', palette), chunk('IDAT', deflateSync(lines, { level: 9 }))];
  return Buffer.concat([PNG_SIGNATURE, ...chunks, chunk('IEND', Buffer.alloc(0))]);
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
