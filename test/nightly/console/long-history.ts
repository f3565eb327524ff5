import { randomUUID } from 'node:crypto';
import type { OrganizationCommand } from '@charter/organization';
import type { CommandLine } from '../../cli/command-line';
import { founding, member, moreUsers, plan, record, type Recorded } from '../../journeys/recorded';

/** The number of events in one request. */
const BATCH = 100;
const MINUTE = 60_000;

type Life = Readonly<{
  /** The number of events, including the founding. */
  events: number;
  /** The id of the owner's account. */
  owner: string;
  /** The id of an account that joins in the first quarter of the history, and leaves in its third quarter. */
  ben: string;
}>;

/**
 * Records a long history up to now: a request with 100 events every 100 minutes. In the history, members join and
 * leave, and the name and the plan of the organization change. Resolves with the id of the organization and the
 * revision at which Ben leaves.
 */
export async function longHistory(charter: CommandLine, { events, owner, ben }: Life) {
  const id = randomUUID();
  const begin = Date.now() - events * MINUTE;
  const commands: OrganizationCommand[] = [
    plan('teams'),
    moreUsers(5),
    { type: 'OverrideHardLimits', data: { reason: 'Solo allows two users only.' } },
    member(owner, 'owner'),
  ];
  const joins = Math.floor(events / 4) + 1;
  const leaves = Math.floor((events * 3) / 4) + 1;
  let odd = true;
  let guest = randomUUID();
  while (commands.length < events - 1) {
    const revision = commands.length + 1;
    if (revision === joins) commands.push(member(ben));
    else if (revision === leaves) commands.push(removal(ben));
    else if (revision % 50 === 0) commands.push(plan((revision / 50) % 2 === 0 ? 'teams' : 'solo'));
    else if (revision % 5 === 0) commands.push({ type: 'RenameOrganization', data: { name: `Long ${revision}` } });
    else {
      commands.push(odd ? member((guest = randomUUID())) : removal(guest));
      odd = !odd;
    }
  }
  const rows: Recorded[] = [founding({ name: 'Long', at: new Date(begin).toISOString() })];
  for (let first = 0; first < commands.length; first += BATCH)
    rows.push({
      command: commands.slice(first, first + BATCH),
      at: new Date(begin + (first + 1) * MINUTE).toISOString(),
    });
  await record(charter, id, rows);
  return { id, leaves };
}

const removal = (id: string): OrganizationCommand => ({ type: 'RemoveMember', data: { member: id } });
