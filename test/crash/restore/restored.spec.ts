import { begunLife, type Life } from '../life';
import { backedUpAndRestored, type Cost, costText } from './restoring';

let life: Life;
const costs: Cost[] = [];
beforeAll(async () => {
  life = await begunLife();
}, 60_000);
afterAll(() => life.end());

describe('U1: A backup that is taken while callers write', () => {
  it.each([1, 2])(
    'can be restored in another folder, with each earlier command once; repeated commands get the same answers (round %i)',
    async () => void costs.push(await backedUpAndRestored(life)),
    240_000,
  );

  it('runs while commands are acknowledged, so the tests above are meaningful', () => {
    process.stdout.write(costs.map(costText).join(''));
    expect(costs.reduce((sum, { meanwhile }) => sum + meanwhile, 0)).toBeGreaterThan(0);
  });
});
