import { staged } from '../../journeys/browser/stage';
import { pageStates } from '../../journeys/pages/page-states';
import { expectAccessible, reach } from '../../journeys/pages/reached-state';
import { servePages } from '../../support/pages/built-pages';

const stage = staged(servePages);

/** `npm test` checks all rules in light at 1280 pixels and in dark at 320 pixels. */
describe('A page in the other two looks', () => {
  for (const state of pageStates) {
    it(`${state.name}: has enough contrast in light at 320 pixels and in dark at 1280 pixels`, async () => {
      const { page } = await reach(stage, state);
      await expectAccessible(page, [
        { colorScheme: 'light', width: 320, rules: 'colours' },
        { colorScheme: 'dark', width: 1280, rules: 'colours' },
      ]);
    });
  }
});
