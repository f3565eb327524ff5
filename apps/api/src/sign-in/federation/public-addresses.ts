import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { errorWithCode } from './error-with-code';

/**
 * Networks that are not public, from IANA's special-purpose registries. Addresses in these networks lead to this
 * machine, its neighbours, or the services of its cloud. An organization may not configure a provider at an address
 * that is not public.
 */
const internal = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  internal.addSubnet(network, bits, 'ipv4');
/** In IPv6, only 2000::/3 is allocated. These parts of 2000::/3 are reserved or lead to IPv4 addresses. */
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  internal.addSubnet(network, bits, 'ipv6');
const givenOut = new BlockList();
givenOut.addSubnet('2000::', 3, 'ipv6');

/** Whether an IP address is public, in any notation. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
  if (isIP(plain) === 4) return !internal.check(plain, 'ipv4');
  return isIP(plain) === 6 && givenOut.check(plain, 'ipv6') && !internal.check(plain, 'ipv6');
}

/** Resolves a host name and checks the addresses while Node connects, so that the connection uses a checked address. */
export const lookupPublic: LookupFunction = (hostname, options, answer) => {
  const refuse = (why: Error) => {
    answer(why, '', 4);
  };
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) {
      refuse(error);
      return;
    }
    const [first] = addresses;
    if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
      refuse(errorWithCode('INTERNAL_ADDRESS', 'The name resolves to an internal address.'));
    else if (options.all) answer(null, addresses);
    else answer(null, first.address, first.family);
  });
};
