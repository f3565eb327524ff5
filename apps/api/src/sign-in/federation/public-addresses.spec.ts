import { isPublicAddress, lookupPublic } from './public-addresses';

describe('Public addresses', () => {
  it.each([
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '192.167.255.255',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450::1',
  ])('include the public address %s', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'ff02::1',
    'localhost',
    '',
    '127.1',
    '0x7f000001',
  ])('exclude the internal or malformed address %j', (address) => expect(isPublicAddress(address)).toBe(false));
});

it('A host name is refused if it resolves to this machine', async () => {
  const found = await new Promise((resolve) => {
    lookupPublic('localhost', { all: true }, (error, addresses) => resolve(error?.message ?? addresses));
  });
  expect(found).toBe('The name resolves to an internal address.');
});

it("A host name that cannot be resolved fails with the resolver's error", async () => {
  const found = await new Promise((resolve) => {
    lookupPublic('nowhere.invalid', {}, (error) => resolve(error?.code));
  });
  expect(['ENOTFOUND', 'EAI_AGAIN']).toContain(found);
});
