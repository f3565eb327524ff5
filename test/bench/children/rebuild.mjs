// Measures the duration and the peak memory of a rebuild in a separate process. Each message contains the settings of
// one rebuild.
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
