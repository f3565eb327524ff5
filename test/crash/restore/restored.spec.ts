import { begunLife, type Life } from '../life';
import { backedUpAndRestored, costText } from './restoring';

let life: Life;
beforeAll(async () => {
  life = await begunLife();
}, 60_000);
afterAll(() => life.end());

it('U1: A backup under load contains each command that was acknowledged before it once; after the restore, a repetition of such a command gets the same answer', async () => {
  const cost = await backedUpAndRestored(life);
  process.stdout.write(costText(cost));
  expect(cost.meanwhile).toBeGreaterThan(0); // without commands during the backup, this test would prove little
}, 240_000);
