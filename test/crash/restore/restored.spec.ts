import { begunLife, type Life } from '../life';
import { backedUpAndRestored, type Cost, costText } from './restoring';

let life: Life;
const costs: Cost[] = [];
beforeAll(async () => {
  life = await begunLife();
}, 60_000);
afterAll(() => life.end());

describe('U1: a backup that is taken while callers write', () => {
  it.each([1, 2])(
    'time %i: restored elsewhere, is whole: what was acknowledged before it is there once, and answered as then',
    async () => void costs.push(await backedUpAndRestored(life)),
    240_000,
  );

  it('was written to meanwhile', () => {
    process.stdout.write(costs.map(costText).join(''));
    expect(costs.reduce((sum, { meanwhile }) => sum + meanwhile, 0)).toBeGreaterThan(0);
  });
});
