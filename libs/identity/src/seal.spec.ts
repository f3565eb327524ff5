import { generateKeySync, randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sealSecret, unsealSecret } from './seal';

const random = { bytes: (count: number) => randomBytes(count), uuid: () => randomUUID() };
const key = generateKeySync('hmac', { length: 256 });

describe('Sealed secret', () => {
  it('can be decrypted with its key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(unsealSecret(key, sealSecret(key, text, random))).toBe(text);
      }),
    );
  });

  it('has a different encrypted form each time', () => {
    const [one, other] = [sealSecret(key, 'client secret', random), sealSecret(key, 'client secret', random)];
    expect(one).not.toBe(other);
    expect(Buffer.from(one.split('.')[1]!, 'base64url').toString('latin1')).not.toContain('client');
  });

  it('cannot be decrypted with another key or after a change', () => {
    const sealed = sealSecret(key, 'client secret', random);
    expect(unsealSecret(generateKeySync('hmac', { length: 256 }), sealed)).toBeUndefined();
    const bytes = Buffer.from(sealed.split('.')[1]!, 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      expect(unsealSecret(key, `v1.${changed.toString('base64url')}`)).toBeUndefined();
    }
    for (const other of ['', 'v1', 'v1.', 'v2.AAAA', 'v1.AAAA', sealed.replace('v1', 'v2'), sealed.slice(0, -4)])
      expect(unsealSecret(key, other)).toBeUndefined();
  });
});
