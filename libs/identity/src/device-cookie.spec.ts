import { generateKeySync, randomBytes, randomUUID } from 'node:crypto';
import { addDeviceProof, DEVICE_ACCOUNTS_MAX, provenDevice } from './device-cookie';

const key = generateKeySync('hmac', { length: 256 });
const random = { bytes: (count: number) => randomBytes(count), uuid: () => randomUUID() };
const [ada, bob] = [randomUUID(), randomUUID()];

describe('Device cookie', () => {
  it('proves that an account has signed in from this browser, and contains no account id', () => {
    const cookie = addDeviceProof(key, addDeviceProof(key, '', ada, random), bob, random);
    expect(provenDevice(key, cookie, ada)).toBe(cookie.split('.')[0]);
    expect(provenDevice(key, cookie, bob)).toBe(cookie.split('.')[0]);
    expect(provenDevice(key, cookie, randomUUID())).toBeUndefined();
    for (const account of [ada, bob]) {
      expect(cookie).not.toContain(account);
      expect(cookie).not.toContain(Buffer.from(account).toString('base64url'));
    }
    expect(cookie).toMatch(/^[\w-]{22}(\.[\w-]{22}){2}$/);
  });

  it("belongs to one browser: a proof is not valid together with another browser's id", () => {
    const cookie = addDeviceProof(key, '', ada, random);
    const other = addDeviceProof(key, '', bob, random);
    expect(other.split('.')[0]).not.toBe(cookie.split('.')[0]);
    expect(provenDevice(key, `${other.split('.')[0]}.${cookie.split('.')[1]}`, ada)).toBeUndefined();
  });

  it.each([
    ['another key', (cookie: string) => provenDevice(generateKeySync('hmac', { length: 256 }), cookie, ada)],
    ['a changed proof', (cookie: string) => provenDevice(key, `${cookie.slice(0, -2)}xx`, ada)],
    ['a proof too many', (cookie: string) => provenDevice(key, `${cookie}${`.${'a'.repeat(22)}`.repeat(8)}`, ada)],
    ['no proof', (cookie: string) => provenDevice(key, cookie.split('.')[0]!, ada)],
    ['other text', () => provenDevice(key, 'some.thing', ada)],
  ])('proves nothing with %s', (_, tried) => {
    expect(tried(addDeviceProof(key, '', ada, random))).toBeUndefined();
  });

  it('contains a limited number of proofs; a new proof replaces the proof with the oldest sign-in', () => {
    const accounts = Array.from({ length: DEVICE_ACCOUNTS_MAX }, () => randomUUID());
    const full = accounts.reduce((cookie, account) => addDeviceProof(key, cookie, account, random), '');
    const renewed = addDeviceProof(key, full, accounts[0]!, random);
    const next = addDeviceProof(key, renewed, ada, random);
    expect(next).toHaveLength(full.length);
    const proven = [...accounts, ada].map((account) => provenDevice(key, next, account) !== undefined);
    expect(proven).toEqual([true, false, ...Array<boolean>(DEVICE_ACCOUNTS_MAX - 1).fill(true)]);
  });
});
