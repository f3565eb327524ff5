import { inflateSync } from 'node:zlib';

export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** A picture. Each pixel has three or four bytes: its colours, and perhaps its opacity. */
type Picture = Readonly<{ width: number; height: number; channels: 3 | 4; pixels: Buffer }>;

/** Decodes a browser's screenshot: eight bits, RGB or RGBA, not interlaced. */
export function decodedPng(png: Buffer): Picture {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = png[25] === 6 ? 4 : 3;
  const data: Buffer[] = [];
  for (let at = PNG_SIGNATURE.length; at < png.length; at += 12 + png.readUInt32BE(at))
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
