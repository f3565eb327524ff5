import { setTimeout as pause } from 'node:timers/promises';
import { type Facade, runningFacade } from '../facade/running';
import { founded, newId, path } from '../support/requests/organizations';
import { secrets } from '../support/secrets';
import { paused, type Served, serving } from '../support/serving';
import { type Browser, person, signedIn } from '../support/sign-in/people';
import { postgres } from '../support/stores/postgres';

/** The number of milliseconds in which every request must get its answer (`event-log.md` A8). */
const PROMISED_MS = 5_000;

/** The number of milliseconds in which the event store refuses connections. */
const OUTAGE_MS = 2_000;

const documents: readonly (readonly [string, () => Promise<Record<string, string>>])[] = [
  ['PostgreSQL', async () => ({ DOCUMENTS: await (await postgres()).fresh() })],
  ['a file', () => Promise.resolve({})],
];

describe.each(documents)('R3: With tables in %s,', (_, tables) => {
  let facade: Facade;
  let served: Served;
  let key: string;
  let member: Browser;
  let id: string;
  beforeAll(async () => {
    facade = await runningFacade();
    const environment = { ...secrets, EVENT_LOG: facade.url, EVENT_LOG_ALLOW_INSECURE: 'true', ...(await tables()) };
    served = await serving({ environment });
    key = await served.key();
    await paused(served);
    const account = await person(served);
    id = await founded(served, { by: key, owner: account.id }); // the read model never contains this organization
    member = await signedIn(served, account);
  }, 120_000);
  afterAll(async () => {
    facade.thaw();
    await served.close();
  }, 60_000);

  it('each request gets 503 within five seconds while the event store is frozen; only the answer to a write says that the change may have happened', async () => {
    const get = (rest: string) => () => served.ask('GET', path(id, rest), { key });
    const post = (rest: string, body: object) => () => served.ask('POST', path(id, rest), { key, body });
    const reads = {
      'an entitlement': get('/entitlements/users'),
      'an entitlement, through Nest': get('/entitlements/users?'),
      'an entitlement, by a member': () => member.get(path(id, '/entitlements/users')),
      'an entitlement at a revision': get('/entitlements/users?atLeast=7'),
      'the document': get(''),
      'the past': get('?asOf=0'),
      'a preview': post('/preview', { commands: [{ type: 'DisableProduct' }] }),
      'a preview, with a slash and a query': post('/preview/?lenient=true', { commands: [{ type: 'DisableProduct' }] }),
      'an undo': post('/undo', { event: 1 }),
      'names of actors': post('/names', { ids: [newId()] }),
      'a search for members': post('/members/search', { q: 'ada' }),
      'an unknown organization': () => served.ask('GET', path(newId(), '/entitlements/users'), { key }),
    };
    const writes = {
      'a new member': post('/members', { user: newId(), role: 'member' }),
      'a name': () => served.ask('PATCH', path(id), { key, body: { name: 'Other' } }),
    };
    facade.freeze();
    const answers = await Promise.all(
      Object.entries({ ...reads, ...writes }).map(async ([what, ask]) => {
        const begun = performance.now();
        const { status, body } = await ask();
        return [what, status, body.detail as string, performance.now() - begun < PROMISED_MS] as const;
      }),
    );
    facade.thaw();
    const read = 'The event log does not answer. Send the request again.';
    const write =
      'The event log does not answer. The change may have happened: send the request again with the same Idempotency-Key.';
    expect(answers).toEqual([
      ...Object.keys(reads).map((what) => [what, 503, read, true]),
      ...Object.keys(writes).map((what) => [what, 503, write, true]),
    ]);
  }, 60_000);

  it('a read gets its answer although the event store refuses connections for two seconds', async () => {
    await facade.order('refuse');
    const begun = performance.now();
    const answer = served.ask('GET', path(id, '/entitlements/users'), { key });
    await pause(OUTAGE_MS);
    await facade.order('accept');
    expect((await answer).status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(PROMISED_MS);
  }, 60_000);
});
