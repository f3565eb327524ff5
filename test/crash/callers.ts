import { randomInt, randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { times } from '../nightly/length';
import { type Answer, send } from '../support/requests/http';

/**
 * An operation of a caller: a command and its outcome. No two commands cause the same fact, such as `MemberAdded 7d…`.
 * So a test can count the command's events in the log.
 */
export type Operation = {
  readonly organization: string;
  readonly facts: readonly string[];
  readonly request: Readonly<{ method: string; path: string; body?: object; key?: string }>;
  /**
   * `unknown`: there was no answer, or the answer does not say whether the command was executed. `odd`: no command of
   * these callers should get this answer.
   */
  outcome: 'acknowledged' | 'refused' | 'unknown' | 'odd';
  /** The organization's revision in the answer. */
  revision?: number;
  /** The HTTP status of the last answer; 0 without an answer. */
  status?: number;
  /** The milliseconds until the last answer came, or until the request failed. */
  took?: number;
  /** The moment of the last answer or failure, on the clock of `performance.now()`. */
  answered?: number;
  /** The body of the last answer. */
  said?: string;
};

export type Asking = Readonly<{ url: string; key: string }>;

const ORGANIZATIONS = '/api/v1/organizations';
const CALLERS = 16;
const PAUSE_MS = times(40, 10);

/** The limit of members in each organization. The limit is low, so that the callers soon reach it. */
export const MEMBERS_MAX = 40;

/** Founds organizations with a low limit of members. All callers send their commands to these organizations. */
export async function meetingPlaces({ url, key }: Asking, count: number): Promise<readonly string[]> {
  const ask = (method: string, path: string, body: object) => send(`${url}${path}`, method, { key, body });
  const founding = Array.from({ length: count }, async (_, index) => {
    const { status, body, text } = await ask('POST', ORGANIZATIONS, { name: `Meeting place ${index}` });
    if (status !== 201) throw new Error(`The meeting place ${index} was not founded: ${status} ${text}`);
    await ask('PUT', `${ORGANIZATIONS}/${body.id as string}/limits`, { users: MEMBERS_MAX });
    return body.id as string;
  });
  return Promise.all(founding);
}

/** Sends commands from many callers without a pause until the server ends. Adds each command to `operations`. */
export async function askUntilKilled(
  asking: Asking,
  places: readonly string[],
  operations: Operation[],
): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const caller = async () => {
    for (const members: Operation[] = []; ;) {
      const operation = any(places[randomInt(places.length)]!, members);
      operations.push(operation);
      await ask(asking, operation, agent);
      if (operation.outcome === 'unknown') return;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  agent.destroy();
}

/**
 * Sends commands from many callers until the work has ended, and ignores failures.
 * @param operations receives each command as soon as it is sent
 */
export async function askDuring(
  asking: Asking,
  places: readonly string[],
  work: Promise<unknown>,
  operations: Operation[] = [],
): Promise<readonly Operation[]> {
  const agent = new Agent({ keepAlive: true });
  const state = { isOver: false };
  const over = work.finally(() => (state.isOver = true));
  const caller = async () => {
    for (const members: Operation[] = []; !state.isOver;) {
      const operation = any(places[randomInt(places.length)]!, members);
      operations.push(operation);
      await ask(asking, operation, agent);
      // Without a pause, the callers would use the whole processor. LONG=1 leads to more commands.
      await pause(PAUSE_MS);
    }
  };
  await Promise.all([over, ...Array.from({ length: CALLERS }, caller)]);
  agent.destroy();
  return operations;
}

/** Sends the command. If the command was sent before, this request repeats it with the same idempotency key. */
export async function ask({ url, key }: Asking, operation: Operation, agent?: Agent): Promise<void> {
  const { method, path, body, key: once } = operation.request;
  const headers = once === undefined ? {} : { 'Idempotency-Key': once };
  const began = performance.now();
  try {
    note(operation, await send(`${url}${path}`, method, { key, body, headers }, agent));
  } catch {
    operation.outcome = 'unknown';
    operation.status = 0;
  }
  operation.answered = performance.now();
  operation.took = operation.answered - began;
}

function note(operation: Operation, { status, body, headers, text }: Answer): void {
  const isLater = status === 503 && headers['retry-after'] !== undefined;
  operation.outcome = status < 300 ? 'acknowledged' : status === 409 ? 'refused' : isLater ? 'unknown' : 'odd';
  operation.status = status;
  operation.said = text;
  if (status < 300) operation.revision = body.revision as number;
}

/** A random command. A caller sometimes removes a member that it has added, each member once. */
function any(organization: string, mine: Operation[]): Operation {
  const present = mine.findIndex(({ outcome }) => outcome === 'acknowledged');
  if (present >= 0 && randomInt(3) === 0) return removal(mine.splice(present, 1)[0]!);
  const make = [memberAtOnce, memberWithKey, site, several, founding][randomInt(5)]!;
  const operation = make(organization);
  if (make === memberAtOnce || make === memberWithKey) mine.push(operation);
  return operation;
}

type Wish = Readonly<{ facts: readonly string[]; method?: string; rest: string; body?: object; key?: string }>;
const operationIn = (organization: string, { facts, rest, method = 'POST', ...request }: Wish): Operation => ({
  organization,
  facts,
  request: { method, path: `${ORGANIZATIONS}/${organization}${rest}`, ...request },
  outcome: 'unknown',
});

/** Adds a member. Without an idempotency key, the request takes the fast path in front of Nest. */
export function memberAtOnce(organization: string, key?: string): Operation {
  const user = randomUUID();
  const body = { user, role: 'member' };
  return operationIn(organization, { facts: [`MemberAdded ${user}`], rest: '/members', body, ...(key && { key }) });
}
const memberWithKey = (organization: string) => memberAtOnce(organization, randomUUID());

export function removal({ organization, request: { body } }: Operation): Operation {
  const { user } = body as { user: string };
  const rest = `/members/${user}`;
  return operationIn(organization, { facts: [`MemberRemoved ${user}`], method: 'DELETE', rest, key: randomUUID() });
}

function site(organization: string): Operation {
  const hostname = `${randomUUID()}.example`;
  return operationIn(organization, { facts: [`SiteAdded ${hostname}`], rest: '/sites', body: { hostname } });
}

/** Several commands in one request: either all of their events are written, in one append, or none. */
function several(organization: string): Operation {
  const mark = randomUUID();
  const hostname = `${mark}.example`;
  const commands = [
    { type: 'AddSite', data: { hostname } },
    { type: 'RenameOrganization', data: { name: mark } },
    { type: 'AddQualityAssuranceDomain', data: { hostname } }, // the feature is off, so the server refuses the list
  ].slice(0, randomInt(2, 4));
  const facts = [`SiteAdded ${hostname}`, `OrganizationRenamed ${mark}`];
  return operationIn(organization, { facts, rest: '/commands', body: { commands }, key: randomUUID() });
}

/** Founds a new organization. */
function founding(): Operation {
  const name = randomUUID();
  const request = { method: 'POST', path: ORGANIZATIONS, body: { name }, key: randomUUID() };
  return { organization: 'new', facts: [`OrganizationFounded ${name}`], request, outcome: 'unknown' };
}
