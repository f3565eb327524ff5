import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Settings } from '@charter/settings';

/**
 * The client's address: the address of the socket or, behind a trusted proxy, the address that the proxy forwards
 * (`decisions.md`, Signing in, 13).
 */
export function clientAddressOf(
  { socket, headers }: IncomingMessage,
  { trustProxy }: Pick<Settings, 'trustProxy'>,
): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((hop) => plainAddress(withoutPort(hop.trim())));
  const trusted = trustedBy(trustProxy);
  let address = plainAddress(socket.remoteAddress ?? '');
  for (let hop = forwarded.pop(); trusted(address) && hop !== undefined && isIP(hop); hop = forwarded.pop())
    address = hop;
  return address;
}

const trustedBy = (proxies: readonly string[]) => {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) && bits !== undefined) list.addSubnet(address, Number(bits), family);
    else if (isIP(address)) list.addAddress(address, family);
  }
  return (address: string) =>
    proxies.length > 0 && isIP(address) > 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
};

/** Some proxies add the port of the client: `203.0.113.7:51234`, or `[2001:db8::1]:51234`. */
const withoutPort = (hop: string) => /^([\d.]+):\d+$/.exec(hop)?.[1] ?? /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? hop;

const plainAddress = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');

/**
 * The network whose attempts are counted together: an IPv4 address, or an IPv6 network of 64 bits (`decisions.md`,
 * Signing in, 16).
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = address.split('::');
  const front = head.split(':').filter(Boolean);
  const back = tail.split(':').filter(Boolean);
  const groups = [...front, ...Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back];
  return groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':');
}
