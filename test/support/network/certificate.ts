import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The paths of a certificate and of its private key. */
export type Certified = Readonly<{ certificate: string; key: string }>;

/** Writes a self-signed certificate (RFC 5280) into a folder. The certificate is valid for a day. */
export function certified(folder: string, name = 'server'): Certified {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = sequence(set(sequence(oid(2, 5, 4, 3), text(`Charter's specs, ${name}`))));
  const hour = 3_600_000;
  const signed = sequence(
    tagged(0xa0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    subject,
    sequence(moment(Date.now() - hour), moment(Date.now() + 24 * hour)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(extension(oid(2, 5, 29, 19), sequence(yes)), extension(oid(2, 5, 29, 17), names))),
  );
  const der = sequence(signed, ecdsaWithSha256, bits(sign('sha256', signed, privateKey)));
  const files = { certificate: join(folder, `${name}.pem`), key: join(folder, `${name}-key.pem`) };
  writeFileSync(files.certificate, pem(der));
  writeFileSync(files.key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return files;
}

const pem = (der: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}
const sequence = (...parts: readonly Buffer[]) => tagged(0x30, ...parts);
const set = (...parts: readonly Buffer[]) => tagged(0x31, ...parts);
const integer = (bytes: Buffer) => tagged(0x02, bytes);
const text = (words: string) => tagged(0x0c, Buffer.from(words));
const bits = (bytes: Buffer) => tagged(0x03, Buffer.from([0]), bytes);
// an ASN.1 GeneralizedTime
const moment = (at: number) => tagged(0x18, Buffer.from(new Date(at).toISOString().replace(/[-:T]|\.\d+/g, '')));

/** An object identifier. One byte contains the first two parts, and each further part is in base 128. */
function oid(first: number, second: number, ...rest: readonly number[]): Buffer {
  const bytes = rest.flatMap((part) => {
    const digits = [part & 127];
    for (let left = part >> 7; left > 0; left >>= 7) digits.unshift((left & 127) | 128);
    return digits;
  });
  return tagged(0x06, Buffer.from([first * 40 + second, ...bytes]));
}
const ecdsaWithSha256 = sequence(oid(1, 2, 840, 10045, 4, 3, 2));
const yes = tagged(0x01, Buffer.from([255]));
const extension = (id: Buffer, value: Buffer) => sequence(id, tagged(0x04, value));
const names = sequence(tagged(0x82, Buffer.from('localhost')), tagged(0x87, Buffer.from([127, 0, 0, 1])));
