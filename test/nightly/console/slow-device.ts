import type { Page } from 'playwright-core';

/** The network conditions that Lighthouse calls slow 4G. */
const slow4G = { offline: false, latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 675_000 / 8 };

/** Gives a page slow 4G, a processor of a quarter of the speed, and an empty cache. */
export async function slowDown(page: Page): Promise<void> {
  const device = await page.context().newCDPSession(page);
  await device.send('Network.enable');
  await device.send('Network.clearBrowserCache');
  await device.send('Network.emulateNetworkConditions', slow4G);
  await device.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}
