// A rebuild in a process of its own: its duration, and its peak memory. One set of settings for each message.
import { opened, lib } from '../product.mjs';

process.on('message', async ({ folder, settings }) => {
  const charter = await opened(folder, 'beside', settings);
  const begun = performance.now();
  const { events } = await lib('projections').rebuild(
    charter.log,
    charter.view,
    lib('organization-view').organizationView,
  );
  const seconds = (performance.now() - begun) / 1000;
  await charter.view.dropRetired();
  await charter.close();
  process.send({ events, seconds, memory: process.resourceUsage().maxRSS * 1024 });
});
process.on('disconnect', () => process.exit(0));
