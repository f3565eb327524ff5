import { begunLife, type Life } from '../life';
import { backedUpAndRestored, costText } from './restoring';

let life: Life;
beforeAll(async () => {
  life = await begunLife();
}, 60_000);
afterAll(() => life.end());

it('U1: A backup that is taken while callers write can be restored in another folder, with each earlier command once; repeated commands get the same answers', async () => {
  const cost = await backedUpAndRestored(life);
  process.stdout.write(costText(cost));
  expect(cost.meanwhile).toBeGreaterThan(0); // without commands during the backup, this test would prove little
}, 240_000);
