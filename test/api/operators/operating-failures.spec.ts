import { DatabaseUnavailable } from '@charter/database';
import { randomUUID } from 'node:crypto';
import { withFaults } from '../../support/stores/faults';
import { type Browser, PASSWORD, person, signedIn, accountEventsOf } from '../../support/sign-in/people';
import { expectProblem } from '../../support/requests/refusals';
import { type Served, serving, type Stores } from '../../support/serving';

/** The function of the tables that fails at present, such as `accounts.list`; empty if all work. */
let broken = '';
let failure: Error = new DatabaseUnavailable('SELECT * FROM secrets');
const breakable = <Thing extends object>(thing: Thing, part: string): Thing =>
  new Proxy(thing, {
    get: (target, name) => {
      if (broken === `${part}.${String(name)}`) return () => Promise.reject(failure);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
const between = ({ database, ...rest }: Stores): Stores => ({
  ...rest,
  database: withFaults(database, {
    keys: breakable(database.keys, 'keys'),
    mails: breakable(database.mails, 'mails'),
    people: withFaults(database.people, {
      accounts: breakable(database.people.accounts, 'accounts'),
      sessions: breakable(database.people.sessions, 'sessions'),
    }),
  }),
});

let served: Served;
let operator: Browser;
beforeAll(async () => {
  served = await serving({ environment: { RATE_LIMITS: 'off' }, between });
  operator = await signedIn(served, await person(served, { role: 'operator' }));
});
afterAll(() => served.close());
afterEach(() => (broken = ''));

const ofAccount = (act: string) => (id: string) => `/api/v1/accounts/${id}/${act}`;
const password = { password: PASSWORD };

describe('Operator request while a store does not answer', () => {
  it.each([
    ['accounts.list', 'GET', () => '/api/v1/accounts', undefined],
    ['accounts.change', 'POST', ofAccount('disable'), undefined],
    ['accounts.byId', 'POST', ofAccount('enable'), undefined],
    ['accounts.change', 'PUT', ofAccount('role'), { role: 'auditor', ...password }],
    ['sessions.endAll', 'DELETE', ofAccount('sessions'), undefined],
    ['accounts.erase', 'POST', ofAccount('erase'), password],
    ['keys.list', 'POST', ofAccount('disable'), undefined],
    ['keys.list', 'GET', () => '/api/v1/keys', undefined],
    ['keys.insert', 'POST', () => '/api/v1/keys', { name: 'ci', scopes: ['flags:read'], ...password }],
    ['keys.byIds', 'DELETE', () => `/api/v1/keys/${randomUUID()}`, undefined],
    ['mails.list', 'GET', () => '/api/v1/mails', undefined],
    ['mails.find', 'POST', () => `/api/v1/mails/${randomUUID()}/retry`, undefined],
  ] as const)('gets 503, and a usual answer when the store answers again: %s, %s', async (place, method, at, body) => {
    const { id } = await person(served);
    const ask = () => operator.send(method, at(id), body);
    broken = place;
    const refused = await ask();
    broken = '';
    expect([place, refused.status, refused.body.type]).toEqual([place, 503, '/problems/unavailable']);
    expectProblem(refused);
    expect(refused.headers['retry-after']).toBeDefined();
    expect(refused.text).not.toContain('SELECT');
    expect([200, 201, 204, 404]).toContain((await ask()).status);
  });

  it('leaves the account unchanged; the same request changes the account when the store answers again', async () => {
    const ada = await person(served);
    broken = 'accounts.change';
    expect((await operator.send('POST', `/api/v1/accounts/${ada.id}/disable`)).status).toBe(503);
    broken = '';
    expect((await served.charter.database.people.accounts.byId(ada.id))?.state).toBe('active');
    expect((await operator.send('POST', `/api/v1/accounts/${ada.id}/disable`)).body.state).toBe('disabled');
    expect((await accountEventsOf(served, ada)).at(-1)!.type).toBe('AccountDisabled');
  });

  it('gets 500 if the store reports a defect, and the log has the defect', async () => {
    const unavailable = failure;
    failure = new TypeError('A column is missing.');
    broken = 'keys.list';
    const refused = await operator.get('/api/v1/keys');
    [broken, failure] = ['', unavailable];
    expect([refused.status, refused.body.type]).toEqual([500, '/problems/internal']);
    expect(served.entries().at(-1)).toMatchObject({ msg: 'a request failed', err: { type: 'TypeError' } });
  });
});
