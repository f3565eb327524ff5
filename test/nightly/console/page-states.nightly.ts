import { staged } from '../../journeys/browser/stage';
import { allStates } from '../../journeys/pages/night-states';
import { expectAccessible, reach } from '../../journeys/pages/reached-state';
import { servePages } from '../../support/pages/built-pages';

const stage = staged(servePages);

/** `npm test` opens only some states, and axe checks them in only one combination of theme and width. */
describe('A page in light and dark, at 320 and 1280 pixels', () => {
  for (const state of allStates) {
    it(`${state.name}: passes axe (all rules in two combinations, colours in the other two), and never scrolls sideways`, async () => {
      const { page } = await reach(stage, state);
      await expectAccessible(page, [
        { colorScheme: 'light', width: 1280, rules: 'everything' },
        { colorScheme: 'light', width: 320, rules: 'colours' },
        { colorScheme: 'dark', width: 1280, rules: 'colours' },
        { colorScheme: 'dark', width: 320, rules: 'everything' },
      ]);
    });
  }
});
