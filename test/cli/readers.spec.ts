import { randomUUID } from 'node:crypto';
import { organizationStream } from '@charter/organization';
import { CommandLine } from './command-line';

const [ada, otto] = [randomUUID(), randomUUID()];
const at = (hour: string) => `2026-11-21T${hour}:10:00.000Z`;
let charter: CommandLine;
let id: string;
beforeAll(async () => {
  charter = new CommandLine();
  id = randomUUID();
  await charter.inside(async ({ organizations, trail }) => {
    const actor = { kind: 'system', id: 'spec', powers: ['operator'] } as const;
    const context = (hour: string) => ({ actor, at: at(hour), correlation: id, causation: id });
    const owner = { type: 'AddMember', data: { member: ada, role: 'owner' } } as const;
    for (const command of [{ type: 'FoundOrganization', data: { name: 'Acme' } } as const, owner])
      await organizations.execute(organizationStream(id), command, { ...context('08'), command: randomUUID() });
    const role = { type: 'RoleAssigned', data: { role: 'operator' } } as const;
    const exported = { type: 'HistoryExported', data: { organization: id } } as const;
    await trail.record({ account: otto }, role, context('08'));
    await trail.record({ account: ada }, { type: 'HistoryRead', data: { organization: id } }, context('09'));
    await trail.record({ account: otto }, exported, context('11'));
  });
});
afterAll(() => charter.remove());

const entries = () => [
  { hour: '2026-11-21T11', actor: { kind: 'account', id: otto }, as: 'operator', did: 'exported' },
  { hour: '2026-11-21T09', actor: { kind: 'account', id: ada }, as: 'owner', did: 'read' },
];

describe('charter readers', () => {
  it('prints who has read the history in each hour, also while no server runs', async () => {
    const { stdout, code } = await charter.run(['readers', id]);
    expect(code).toBe(0);
    expect(stdout).toContain(`2026-11-21T11  operator  account ${otto}  exported`);
    expect(stdout).toContain(`2026-11-21T09  owner     account ${ada}  read`);
    expect(await charter.json('readers', id)).toEqual({ code: 0, answer: { readers: entries(), isComplete: true } });
  });

  it('prints only the hours from `--from` to `--to`, and at most `--limit` entries', async () => {
    const { answer } = await charter.json('readers', id, '--from', at('11'));
    expect(answer).toEqual({ readers: entries().slice(0, 1), isComplete: true });
    const { stdout } = await charter.run(['readers', id, '--limit', '1']);
    expect(stdout).toContain('There are more');
    expect((await charter.run(['readers', id, '--to', '2026-11-21T08:00:00Z'])).stdout).toContain('No reads.');
  });

  it('refuses an unknown organization', async () => {
    expect((await charter.json('readers', randomUUID())).answer).toMatchObject({
      type: '/problems/no-such-organization',
    });
  });
});
