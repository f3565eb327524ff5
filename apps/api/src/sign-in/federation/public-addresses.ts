import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * Networks that are nobody's on the open internet (IANA's special-purpose registries): what is in them is this machine, its
 * neighbours, or its cloud's own services, and none of it is an identity provider that an outsider may name.
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
/** Of IPv6 only 2000::/3 is given out; in it, these lead elsewhere or into IPv4. */
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  internal.addSubnet(network, bits, 'ipv6');
const givenOut = new BlockList();
givenOut.addSubnet('2000::', 3, 'ipv6');

/** Whether an IP address, in any of its spellings, is one on the open internet. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
  if (isIP(plain) === 4) return !internal.check(plain, 'ipv4');
  return isIP(plain) === 6 && givenOut.check(plain, 'ipv6') && !internal.check(plain, 'ipv6');
}

/** Names are resolved once, for the connection itself, so that what was checked is what is connected to. */
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
      refuse(new Error('The name leads to an internal address.'));
    else if (options.all) answer(null, addresses);
    else answer(null, first.address, first.family);
  });
};
