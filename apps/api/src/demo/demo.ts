import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Moment, momentAt } from '@charter/decider';
import { type EventLog, uuidv5 } from '@charter/event-log';
import type { InstallationMarks } from '@charter/database';
import { newKey, type PlatformRole, scopes } from '@charter/identity';
import type { OrganizationCommand } from '@charter/organization';
import { type Charter, organizationCommands, secureRandom } from '@charter/application';
import { isOnLoopback } from '@charter/settings';
import { demoCustomer, applyDemoPayments } from './demo-payments';
import type { DemoPerson, DemoSignIn } from './demo-people';
import { importLakeside } from './lakeside/import-lakeside';
import { namePeople } from './lakeside/name-people';
import type { LakesideIds } from './lakeside/stage';

/**
 * Founds example organizations with real commands if Charter listens only on loopback and the store is empty. Marks the
 * store as a demo for ever (`decisions.md`, Signing in, 15). Returns the organizations that the process prints with an
 * API key when it starts. If `CHARTER_DEMO` is off, or if Charter does not listen only on loopback, returns no
 * organizations, so the process prints no API key. With embedded tables, always revokes the API key that the last start
 * printed.
 */
export async function prepareDemo(charter: Charter, now: () => number): Promise<readonly DemoOrganization[]> {
  const { settings, log, organizations } = charter;
  // The demo's commands need no further work after their execution. No demo command closes an organization, and
  // `namePeople` ends the introductions of removed members. The server is not yet running.
  const { execute } = organizationCommands(organizations, { after: [] });
  const { marks } = charter.database;
  await revokePrintedKey(charter, now());
  if (settings.demo === 'off' || !isOnLoopback(settings)) return [];
  const store = await log.identity();
  const examples = examplesIn(store);
  const lakeside = lakesideIn(store);
  if (!(await mayBegin(log, marks))) return (await isDemo(marks)) ? [...examples, lakeside] : [];

  await marks.set(MARK, 'founding'); // after a crash, the next start founds the missing organizations
  for (const { id, commands } of examples) {
    const moments: Moment[] = [];
    for (const [index, step] of commands.entries()) {
      // Waits for the next millisecond, so that each command has a separate moment. A query with a command's moment
      // then reads the state after exactly this command.
      while (moments.at(-1) === momentAt(now())) await pause(1);
      const at = momentAt(now());
      moments.push(at);
      const context = { actor, at, command: uuidv5(id, String(index)), correlation: id, causation: id };
      await execute(id, typeof step === 'function' ? step(moments) : step, context);
    }
  }
  await applyDemoPayments(charter, execute, examples[1]!.id, now());
  await importLakeside(charter, execute, lakeside, now());
  await namePeople(charter, lakeside, now());
  await marks.set(MARK, 'on');
  return [...examples, lakeside];
}

export type DemoOrganization = Readonly<{ id: string; name: string; about: string }>;
type Example = DemoOrganization & Readonly<{ commands: readonly DemoStep[] }>;

/** A command, or a function that makes a command from the moments of the previous commands. */
type DemoStep = OrganizationCommand | ((moments: readonly Moment[]) => OrganizationCommand);

/** Whether this store was founded as a demo. Every page of a demo shows a note that the store is a demo. */
export const isDemo = async (marks: InstallationMarks): Promise<boolean> => (await marks.get(MARK)) === 'on';

/**
 * Creates an API key with all scopes. The key expires after a week, because the process prints it. With an embedded
 * store, the next start revokes the key.
 */
export async function demoKey({ database: { keys, marks } }: Pick<Charter, 'database'>, now: number): Promise<string> {
  const { key, record } = newKey({ name: 'demo', scopes, expires: momentAt(now + 7 * DAY_MS) }, secureRandom, now);
  await marks.set(PRINTED_KEY, record.id);
  await keys.insert(record);
  return key;
}

/**
 * Revokes the API key that the last start printed. With a database server, several processes may share the store, so a
 * start revokes no key of another process.
 */
async function revokePrintedKey(
  { settings, database: { keys, marks } }: Pick<Charter, 'settings' | 'database'>,
  now: number,
): Promise<void> {
  const id = settings.documentsServer ? undefined : await marks.get(PRINTED_KEY);
  if (id !== undefined) await keys.revoke(id, now);
}

/** One account for each role. The accounts without a platform role are the first members of the first organization. */
export function demoPeople([near]: readonly DemoOrganization[], store: string): readonly DemoPerson[] {
  if (!near) return [];
  const of = (index: number) => demoId(store, near.name, 'member', String(index));
  const organization = near.id;
  const alone = (role: PlatformRole) => demoId(store, role);
  return [
    {
      id: of(0),
      email: 'owner@northwind.example',
      name: 'Olga Berg',
      about: `owner of ${near.name}`,
      role: null,
      organization,
    },
    {
      id: of(1),
      email: 'admin@northwind.example',
      name: 'Alice Lund',
      about: `admin of ${near.name}`,
      role: null,
      organization,
    },
    {
      id: of(2),
      email: 'member@northwind.example',
      name: 'Bob Holm',
      about: `member of ${near.name}`,
      role: null,
      organization,
    },
    { id: alone('auditor'), email: 'auditor@charter.example', name: 'Audrey Virta', about: 'auditor', role: 'auditor' },
    {
      id: alone('operator'),
      email: 'operator@charter.example',
      name: 'Otto Salo',
      about: 'operator',
      role: 'operator',
    },
  ];
}

/** The people of a store's demo. */
export const demoPeopleIn = (store: string): readonly DemoPerson[] => demoPeople(examplesIn(store), store);

/** The text that `npm start` prints: the address, the data for signing in, an API key, and three commands to try. */
export function demoText(
  url: string,
  key: string,
  [near, , over]: readonly DemoOrganization[],
  people: readonly DemoSignIn[] = [],
): string {
  const organizations = `${url}/api/v1/organizations`;
  const authorization = `-H 'Authorization: Bearer ${key}'`;
  return `
  Charter answers at ${url} with four example organizations (demo mode).

  Sign in at ${url} as one of
${people.map(({ about, email, password = '(has another password now)' }) => `    ${about.padEnd(28)} ${email.padEnd(26)} ${password}`).join('\n')}
  The button "Sign in with Google" leads to a stand-in for Google, which needs no password.
  Mails that would be sent: ${url}/dev/mail

  A key with every scope, good for seven days at most:
    ${key}

  All organizations; why one of them has 7 users; a refusal, because another one is over its limit:
    curl -s ${authorization} ${organizations}
    curl -s ${authorization} ${organizations}/${near?.id}/entitlements/users
    curl -s ${authorization} -H 'Content-Type: application/json' -d '{"user":"${randomUUID()}","role":"member"}' ${organizations}/${over?.id}/members

  The HTTP interface: ${url}/api/docs
`;
}

const MARK = 'demo';
/** The mark with the id of the API key that the last start printed. */
const PRINTED_KEY = 'demo-key';
const DAY_MS = 86_400_000;
const actor = { kind: 'system', id: 'demo', powers: ['operator'] } as const;

/**
 * Whether this process may found the demo. Reads the event log before it reads the mark of the demo. Another process
 * that founds the demo sets the mark before it appends its first event. A process that finds an event of the demo
 * therefore also finds the mark.
 */
const mayBegin = async (log: EventLog, marks: InstallationMarks) =>
  (await isEmpty(log)) || (await marks.get(MARK)) === 'founding';

const ours = ['organization-', 'account-', 'key-'];

/**
 * Whether the log contains no event of Charter. The log of an event store server is never empty, because it begins with
 * system events.
 */
async function isEmpty(log: EventLog): Promise<boolean> {
  for await (const _ of log.readAll({ streamPrefixes: ours, maxCount: 1 })) return false;
  return true;
}

/** An id of the demo. The id is derived from the store's id, so each call returns the same id. */
const demoId = (store: string, ...parts: readonly string[]) => uuidv5(store, ['demo', ...parts].join('/'));

/** The organization with a long history. */
function lakesideIn(store: string): DemoOrganization & Readonly<{ ids: LakesideIds }> {
  const name = 'Lakeside Outfitters';
  const of: LakesideIds['of'] = (...parts) => demoId(store, name, ...parts);
  return {
    ...{ id: demoId(store, name), name, about: 'about 2,000 events in three years' },
    ids: { of, operator: demoId(store, 'operator') },
  };
}

/** The small organizations of a store's demo. Each call returns the same ids. */
function examplesIn(store: string): readonly Example[] {
  const idOf = (...parts: string[]) => demoId(store, ...parts);
  const people = (organization: string, count: number) =>
    Array.from({ length: count }, (_, index) => idOf(organization, 'member', String(index)));
  const example = (name: string, about: string, commands: (key: string) => readonly DemoStep[]): Example => {
    const id = idOf(name);
    return {
      id,
      name,
      about,
      commands: [{ type: 'FoundOrganization', data: { name, owner: people(name, 1)[0]! } }, ...commands(name)],
    };
  };
  const members = (key: string, count: number, second: 'admin' | 'member' = 'member') =>
    people(key, count)
      .slice(1)
      .map(
        (member, index) => ({ type: 'AddMember', data: { member, role: index === 0 ? second : 'member' } }) as const,
      );
  const site = (key: string, hostname: string) =>
    ({ type: 'AddSite', data: { site: idOf(key, hostname), hostname, name: hostname } }) as const;
  const bought = (key: string, addOn: string, quantity = 1) =>
    ({ type: 'PurchaseAddOn', data: { purchase: idOf(key, addOn), addOn, quantity } }) as const;
  const plan = (line: 'first' | 'second', name: string, effectiveAt?: Moment) =>
    ({ type: 'AssignPlan', data: { line, plan: name, ...(effectiveAt && { effectiveAt }) } }) as const;

  return [
    example('Northwind Feedback', 'second/teams, near its limits, with add-ons', (key) => [
      plan('second', 'teams'),
      bought(key, 'additionalUser', 2),
      bought(key, 'qualityAssurance'),
      bought(key, 'webAnalytics'),
      { type: 'AssignServiceLevel', data: { serviceLevel: 'assisted' } },
      ...members(key, 6, 'admin'),
      site(key, 'shop.northwind.example'),
      site(key, 'www.northwind.example'),
      { type: 'AddQualityAssuranceDomain', data: { domain: idOf(key, 'qa'), hostname: 'qa.northwind.example' } },
    ]),
    example('Harbour Museum', 'first/professional, and second/teams that Stripe sold, in parallel use', (key) => [
      plan('first', 'professional'),
      { type: 'LinkBillingAccount', data: { provider: 'stripe', customer: demoCustomer } },
      { type: 'ChangeParallelUse', data: { parallelUse: true } },
      site(key, 'museum.example'),
      { type: 'FlagProductUser', data: { member: people(key, 1)[0]! } },
    ]),
    example('Old Mill Bakery', 'over its limit after a downgrade', (key) => [
      plan('second', 'teams', '2024-03-01T00:00:00.000Z'), // takes effect before the first event of the demo's log
      ...members(key, 4),
      site(key, 'bakery.example'),
      site(key, 'xn--brd-tna.example'),
      plan('second', 'solo'),
      // A correction: the smaller plan began at the moment when the last member was added.
      (moments) => plan('second', 'solo', moments[4]),
    ]),
  ];
}
