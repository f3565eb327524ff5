import { existsSync, readFileSync } from 'node:fs';
import { freePort } from './free-port.mjs';

const KERNELS_RANGE = '/proc/sys/net/ipv4/ip_local_port_range';

describe('A port for a server that a spec restarts', () => {
  it('is below the range from which the kernel gives ports to other processes', async () => {
    const lowest = existsSync(KERNELS_RANGE) ? Number(readFileSync(KERNELS_RANGE, 'utf8').split(/\s/)[0]) : 32_768;
    for (const port of await Promise.all(Array.from({ length: 20 }, freePort))) expect(port).toBeLessThan(lowest);
  });
});
