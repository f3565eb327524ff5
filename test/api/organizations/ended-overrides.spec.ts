import { serviceForSpecs } from '../../support/requests/http-client';
import { done, founded } from '../../support/requests/organizations';
import { eventsOf, type Served, settled, until } from '../../support/serving';
import { organizationStream } from '@charter/organization';

let served: Served;
let key: string;
serviceForSpecs((...begun) => ([served, key] = begun));
afterEach(() => jest.restoreAllMocks());

describe('The search for ended overrides', () => {
  it('reads a document again only after a change, or after the end of its override, which it then records', async () => {
    const { view } = served.charter;
    const id = await founded(served, { by: key });
    const stream = organizationStream(id);
    const [lists, reads] = [jest.spyOn(view, 'list'), jest.spyOn(view, 'get')];
    const runs = (wanted: number) => {
      lists.mockClear();
      return until(() => lists.mock.calls.length >= wanted);
    };
    const readCount = () => reads.mock.calls.filter(([read]) => read === stream).length;

    const overrideFor = async (ms: number) => {
      const end = new Date(served.clock.now() + ms).toISOString();
      await done(served, key, id, ['PUT', '/limits/override', { reason: 'a spec', until: end }]);
      await settled(served);
    };
    await overrideFor(7_200_000);
    await runs(2); // the second run begins after the first has ended
    const before = readCount();
    await runs(2);
    expect(readCount()).toBe(before);
    await overrideFor(3_600_000);
    served.clock.advance(3_600_000);
    await until(async () => (await eventsOf(served, stream)).at(-1)!.type === 'HardLimitsRestored');
  });
});
