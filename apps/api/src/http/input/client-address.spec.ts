import type { IncomingMessage } from 'node:http';
import { clientAddressOf, networkOf } from './client-address';

describe('Network of an address', () => {
  it.each([
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:0:0:ffff::1', '2001:db8:0:0'],
    ['2001:DB8:0000:0000:1:2:3:4', '2001:db8:0:0'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1'],
    ['2001:db8:0:1::', '2001:db8:0:1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
  ])('of IPv6 has 64 bits: %s is in %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it.each(['203.0.113.7', 'unknown', ''])('is the text itself if the text is no IPv6 address: %j', (address) => {
    expect(networkOf(address)).toBe(address);
  });
});

describe('Address of a client', () => {
  const clientOf = (remoteAddress: string, forwarded?: string) =>
    clientAddressOf(
      { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage,
      { trustProxy: ['127.0.0.1', '10.0.0.0/8'] },
    );

  it.each([
    ['::ffff:203.0.113.7', undefined, '203.0.113.7'],
    ['::FFFF:203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['::ffff:127.0.0.1', '198.51.100.1, ::ffff:203.0.113.7', '203.0.113.7'],
    ['127.0.0.1', '198.51.100.1, 203.0.113.7, 10.1.2.3', '203.0.113.7'],
    ['127.0.0.1', '2001:db8::1', '2001:db8::1'],
    ['127.0.0.1', '203.0.113.7:51234', '203.0.113.7'],
    ['127.0.0.1', '198.51.100.1, [2001:db8::1]:51234, 10.1.2.3:443', '2001:db8::1'],
    ['127.0.0.1', '[2001:db8::1]', '2001:db8::1'],
    ['127.0.0.1', 'unknown', '127.0.0.1'],
    ['127.0.0.1', '203.0.113.7:', '127.0.0.1'],
  ])('for the socket %s and the forwarded addresses %j is %s', (socket, forwarded, address) => {
    expect(clientOf(socket, forwarded)).toBe(address);
  });
});
