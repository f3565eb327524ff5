import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { StoredEvent } from '@charter/event-log';
import { verifyChain } from '@charter/integrity';
import { type OrganizationCommand, organizationStream } from '@charter/organization';
import { insertForeign } from '../support/stores/foreign-events';
import { CommandLine } from './command-line';
import { compiledOnce } from '../support/compiled';

const main = resolve(__dirname, '../../dist/apps/api/apps/cli/src/main.js');
const bash = promisify(execFile);
const [ada, bob] = [randomUUID(), randomUUID()];
const moments = Array.from({ length: 9 }, (_, hour) => `2026-11-0${hour + 1}T10:00:00.12${hour}Z`);

const commands: readonly OrganizationCommand[] = [
  { type: 'FoundOrganization', data: { name: 'Äkme\u0007' } },
  { type: 'AssignPlan', data: { line: 'second', plan: 'teams' } },
  { type: 'AddMember', data: { member: bob, role: 'owner' } },
  { type: 'AddMember', data: { member: ada, role: 'member' } },
  { type: 'ChangeRole', data: { member: ada, role: 'admin' } },
  // A billing message that arrived late: its plan is in force from a moment before all other events.
  {
    type: 'AssignPlan',
    data: { line: 'first', plan: 'essential', effectiveAt: '2026-10-01T00:00:00.000Z', subscription: 'sub_1' },
  },
  { type: 'RemoveMember', data: { member: ada } },
];

const commandOf = (correlation: string) => ({ command: randomUUID(), correlation, causation: correlation });

let charter: CommandLine;
let id: string;
const stored: StoredEvent[] = [];

beforeAll(async () => {
  charter = new CommandLine();
  id = randomUUID();
  await charter.inside(async ({ organizations, log }) => {
    for (const [index, command] of commands.entries())
      await organizations.execute(organizationStream(id), command, {
        actor: { kind: index === 4 ? 'account' : 'system', id: index === 4 ? bob : 'spec', powers: ['operator'] },
        at: moments[index]!,
        ...commandOf(id),
      });
    for await (const event of log.readStream(organizationStream(id))) stored.push(event);
  });
});
afterAll(() => charter.remove());

const history = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await charter.run(['history', id, ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};
describe('History of an organization', () => {
  it('is printed as a table with moment, revision, sentence and actor of each event', async () => {
    const [heads, ...rows] = (await history()).trimEnd().split('\n');
    expect(heads).toMatch(/^RECORDED +REVISION +WHAT +WHO$/);
    expect(rows).toHaveLength(commands.length);
    expect(rows[0]).toMatch(/^2026-11-01T10:00:00.120Z +0 {2}Founded as “Äkme\ufffd” +spec$/);
    expect(rows[4]).toContain(`4  Member ${ada} is admin now`);
    expect(rows[4]).toMatch(new RegExp(`account ${bob}$`));
    expect(rows[5]).toContain('by subscription sub_1, in force from 2026-10-01T00:00:00.000Z');
  });

  it('is printed with moments that `--from`, `--to` and `--as-of` accept; a range up to such a moment includes its event', async () => {
    const printed = (text: string) => text.match(/\d{4}-\d\d-\d\d[T ][\d:.]+(?: UTC|Z)/g)!;
    const moment = printed((await history()).split('\n')[5]!)[0];
    expect(printed(await history('--from', moment, '--to', moment))).toEqual([moment]);
    const shown = await charter.run(['organization', 'show', id, '--as-of', moment, '--valid', moment]);
    expect(shown.stdout).toMatch(new RegExp(`^revision +4, recorded ${moment}$`, 'm'));
    const { stdout } = await charter.run(['diff', id, '--from', moment, '--valid', moment]);
    expect(stdout).toMatch(new RegExp(`^from +revision 4, recorded ${moment}$`, 'm'));
  });

  it('is printed with --json as stored events, one on each line, so that the reader can check the hash chain', async () => {
    const lines = (await history('--json')).trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line) as StoredEvent);
    expect(events).toEqual(
      stored.map(({ id, type, stream, revision, position, data, metadata }) => ({
        ...{ id, type, stream, revision: Number(revision), position, data, metadata },
      })),
    );
    const again = events.map((event) => ({ ...event, revision: BigInt(Number(event.revision)) }));
    expect(await verifyChain(again)).toMatchObject({ ok: true, events: commands.length });
  });

  it('can be limited to some events, and printed with the newest event first', async () => {
    const lines = await history(
      '--json',
      '--newest',
      '--as-of',
      '5',
      '--type',
      'PlanAssigned, MemberAdded',
      '--limit',
      '2',
    );
    expect(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { revision: number }).revision),
    ).toEqual([5, 3]);
    expect(await history('--type', 'PlanEnded')).toBe('No event matches.\n');
  });

  it('can be limited to one member or one request, or can omit types of events', async () => {
    const revisionsOf = async (...args: readonly string[]) =>
      (await history('--json', ...args)).split('\n').flatMap((line) => (line ? [JSON.parse(line).revision] : []));
    expect(await revisionsOf('--about', `/members/${ada}`)).toEqual([3, 4, 6]);
    expect(await revisionsOf('--not-type', 'MemberAdded,PlanAssigned')).toEqual([0, 4, 6]);
    expect(await revisionsOf('--correlation', id)).toHaveLength(commands.length);
    expect(await revisionsOf('--correlation', ada)).toEqual([]);
    expect(await charter.run(['history', id, '--about', '/chairs'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('/members/ID'),
    });
  });

  it('marks an event with which billing only confirms a plan; --fold omits this event', async () => {
    const sold = await charter.found('Confirmed', 'solo');
    const billing = { kind: 'billing', id: 'stripe', powers: ['billing:write'] } as const;
    await charter.inside(async ({ organizations }) => {
      for (const effectiveAt of ['2026-10-01T00:00:00.000Z', '2026-10-02T00:00:00.000Z'])
        await organizations.execute(
          organizationStream(sold),
          { type: 'AssignPlan', data: { line: 'first', plan: 'essential', effectiveAt, subscription: 'sub_1' } },
          {
            ...commandOf(sold),
            actor: billing,
            at: new Date().toISOString(),
            causation: effectiveAt,
            message: effectiveAt,
          },
        );
    });
    const { stdout } = await charter.run(['history', sold]);
    expect(stdout.trimEnd().split('\n').at(-1)).toContain(' (revision 2, confirmed by billing)');
    expect(stdout.match(/confirmed by billing/g)).toHaveLength(1);
    const revisions = async (...args: string[]) =>
      (await charter.run(['history', sold, '--json', ...args])).stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { revision: number; repeats?: number })
        .map(({ revision, repeats }) => [revision, repeats]);
    expect(await revisions()).toEqual([[0], [1], [2], [3, 2]].map(([revision, repeats]) => [revision, repeats]));
    expect(await revisions('--fold')).toEqual([[0], [1], [2]].map(([revision]) => [revision, undefined]));
  });

  it('ends without an error when the reader closes the pipe', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `Name ${index}`);
    const long = await charter.found('Long');
    await charter.inside(({ organizations }) =>
      organizations.execute(
        organizationStream(long),
        names.map((name) => ({ type: 'RenameOrganization', data: { name } })),
        { actor: { kind: 'system', id: 'spec', powers: ['operator'] }, at: moments[0]!, ...commandOf(long) },
      ),
    );
    const env = { ...compiledOnce, PATH: process.env['PATH'], CHARTER_DATA: charter.data };
    const script = `for each in 1 2; do "${process.execPath}" "${main}" history ${long} --json; done | head -n 1`;
    const { stdout, stderr } = await bash('bash', ['--norc', '-eo', 'pipefail', '-c', script], { env });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ revision: 0, type: 'OrganizationFounded' });
  });

  it('with --about leaves out an event whose content is not JSON', async () => {
    const damaged = await charter.found('Damaged', 'teams');
    const unreadable = { type: 'MemberAdded', data: '{"day":', metadata: '{}' };
    insertForeign(charter.data, organizationStream(damaged), unreadable);
    const about = async (path: string) => charter.run(['history', damaged, '--about', path, '--json']);
    expect(await about(`/members/${ada}`)).toMatchObject({ code: 0, stderr: '', stdout: '' });
    const { code, stdout } = await about('/members');
    expect({ code, event: JSON.parse(stdout) }).toMatchObject({ code: 0, event: { revision: 2, data: null } });
  });

  it.each([
    ['beyond its end', ['--as-of', '7'], 1, 'The last revision of the organization is 6.'],
    ['of a type that does not exist', ['--type', 'PlanAsigned'], 2, 'There is no PlanAsigned.'],
  ])('is refused for a range or a type that does not exist: %s', async (_, args, code, sentence) => {
    const ended = await charter.run(['history', id, ...args]);
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toContain(sentence);
  });

  it('is refused for an unknown organization', async () => {
    const { code, answer } = await charter.json('history', randomUUID());
    expect({ code, answer }).toMatchObject({ code: 1, answer: { type: '/problems/no-such-organization' } });
  });
});

describe('Difference between two moments', () => {
  it('names each change with the value before and after, its events and their actors', async () => {
    const { code, answer } = await charter.json('diff', id, '--from', '1', '--to', '4');
    expect(code).toBe(0);
    expect(answer).toMatchObject({ from: { revision: 1 }, to: { revision: 4 }, valid: null, events: 3 });
    expect(answer.state).toContainEqual(
      expect.objectContaining({
        ...{ op: 'add', path: `/members/${ada}`, value: { role: 'admin', productUser: false } },
        causes: [expect.objectContaining({ revision: 3 }), expect.objectContaining({ revision: 4 })],
      }),
    );
    expect(answer.entitlements.limits.users).toMatchObject({ before: { used: 0 }, after: { used: 2 } });
    const { stdout } = await charter.run(['diff', id, '--from', '1', '--to', '4']);
    expect(stdout).toMatch(/^users +5, 0 used +5, 2 used +event 2 MemberAdded by spec; event 3 MemberAdded by spec$/m);
    expect(stdout).toContain(`event 4 MemberRoleChanged by account ${bob}`);
    expect(stdout).toMatch(new RegExp(`^member ${ada} +- +admin, product user no +event 3 `, 'm'));
  });

  it('marks a back-dated event, and names the moment from which the event is in force', async () => {
    const { stdout } = await charter.run(['diff', id, '--from', '4']);
    expect(stdout).toMatch(
      /^plan of line first +- +essential, in force from 2026-10-01T00:00:00.000Z, by subscription sub_1 +event 5 PlanAssigned by spec, back-dated to 2026-10-01T00:00:00.000Z$/m,
    );
    expect(stdout).toMatch(/^to +revision 6, recorded 2026-11-07T10:00:00.126Z, as of /m);
  });

  it('shows how the events after a revision changed the state that was in force at one moment', async () => {
    const valid = moments[0]!;
    const { answer } = await charter.json('diff', id, '--from', '4', '--valid', valid);
    expect(answer).toMatchObject({ valid, events: 1, state: [{ path: '/plans/first', causes: [{ revision: 5 }] }] });
  });

  it('suggests the option --valid if no recorded value differs, but a back-dated event lies between the two moments', async () => {
    const assignment = { plan: 'solo', effectiveAt: '2024-11-01T00:00:00.000Z' };
    const late = await charter.found('Late', 'teams');
    await charter.inside(({ organizations }) =>
      organizations.execute(
        organizationStream(late),
        { type: 'AssignPlan', data: { line: 'second', ...assignment } },
        {
          actor: { kind: 'system', id: 'spec', powers: ['operator'] },
          at: new Date().toISOString(),
          ...commandOf(late),
        },
      ),
    );
    expect((await charter.run(['diff', late, '--from', '1'])).stdout).toMatch(
      /^Both ends have the same values\. .* --valid <T>\.$/m,
    );
  });

  it('is refused if the first moment is later than the second moment', async () => {
    const { code, answer } = await charter.json('diff', id, '--from', '3', '--to', '1');
    expect({ code, answer }).toMatchObject({ code: 1, answer: { type: '/problems/not-in-order' } });
  });
});

describe('Shown organization', () => {
  const plans = async (...args: readonly string[]) =>
    (await charter.json('organization', 'show', id, ...args)).answer.organization.plans;

  it('has the state that was recorded at a moment, or the state that was in force at a moment', async () => {
    expect(await plans('--as-of', moments[3]!)).toMatchObject({ first: null, second: { plan: 'teams' } });
    expect(await plans('--valid', moments[3]!)).toMatchObject({
      ...{ first: { plan: 'essential' }, second: { plan: 'teams' } },
    });
    expect(await plans('--valid', moments[3]!, '--as-of', '4')).toMatchObject({ first: null });
    expect(await charter.json('organization', 'show', id, '--valid', '2020-01-01T00:00:00Z')).toMatchObject({
      ...{ code: 1, answer: { type: '/problems/no-such-organization' } },
    });
  });
});
