import fc from 'fast-check';
import { anyLife } from './testing/any-history.testing';
import type { Organization } from './state';
import { lists } from './terms';

const counted = (organization: Organization) =>
  Object.fromEntries(lists.map((list) => [list, Object.keys(organization[list]).length]));

it("the stored size of each list equals the list's number of entries at every revision of any history", () => {
  fc.assert(
    fc.property(anyLife, ({ scenes }) => {
      for (const { after } of scenes) expect(after.sizes).toEqual(counted(after));
    }),
    { numRuns: 50 },
  );
});
