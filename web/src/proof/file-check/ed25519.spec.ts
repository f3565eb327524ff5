/** @jest-environment node */
import { generateKeyPairSync, sign } from 'node:crypto';
import { browserEd25519 } from './ed25519';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const key = Uint8Array.from(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
const text = new TextEncoder().encode('charter/s\n5\n');
const signature = Uint8Array.from(sign(null, text, privateKey));
const changed = (bytes: Uint8Array<ArrayBuffer>, index: number) => bytes.with(index, bytes[index]! ^ 1);

/** A public key whose bytes do not encode a point of the elliptic curve. */
const noPoint = new Uint8Array(32).fill(2);

describe.each(['with', 'without'])('The check of a signature in a browser %s Ed25519', (kind) => {
  beforeEach(() => {
    if (kind === 'with') return;
    jest
      .spyOn(crypto.subtle, 'importKey')
      .mockRejectedValue(new DOMException('Unrecognized algorithm name', 'NotSupportedError'));
  });
  afterEach(() => jest.restoreAllMocks());

  it('accepts a valid signature over the text', () => expect(browserEd25519(key, signature, text)).resolves.toBe(true));

  it.each<[string, typeof key, typeof key, typeof key]>([
    ['a changed text', key, signature, changed(text, 3)],
    ['a changed first half of the signature', key, changed(signature, 0), text],
    ['a changed second half of the signature', key, changed(signature, 32), text],
    ['another key', changed(key, 0), signature, text],
    ['a key that is no point of the curve', noPoint, signature, text],
    ['the key of zeros, which accepts signatures without a private key', new Uint8Array(32), new Uint8Array(64), text],
  ])('refuses %s', (...[, someKey, someSignature, someText]) =>
    expect(browserEd25519(someKey, someSignature, someText)).resolves.toBe(false),
  );
});
