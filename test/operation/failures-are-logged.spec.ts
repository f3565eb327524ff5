import type { Account } from '@charter/identity';
import { acts } from '../support/requests/people-requests';
import type { Answer } from '../support/requests/http';
import { founded, path } from '../support/requests/organizations';
import { type Browser, person, signedIn } from '../support/sign-in/people';
import { type Route, routesOf } from '../support/requests/routes';
import { type Entry, type Served, serving } from '../support/serving';
import { rightRequests, fullOrganization } from '../support/requests/full-organization';
import { buyerRequests, domainRequests } from '../support/requests/right-requests';

let served: Served;
beforeAll(async () => {
  served = await serving({ environment: { RATE_LIMITS: 'off' } });
});
afterAll(() => served.close());

const operator = async (): Promise<readonly [Account, Browser]> => {
  const account = await person(served, { role: 'operator' });
  return [account, await signedIn(served, account)];
};
const act = async (route: Route, by: Browser, account: Account): Promise<Answer> => {
  const { path: at, body } = await acts[route]!(served, account);
  return by.send(route.split(' ')[0]!, at, body);
};

/** The log entries of one request. First waits for background work. */
async function entriesOf({ headers }: Answer): Promise<readonly Entry[]> {
  await served.runtime.backgroundWork.settled();
  return served.entries().filter(({ request }) => request === headers['request-id']);
}
const moment = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/) as string;

describe('D3: Valid XSRF token', () => {
  it('is sent by the tests below to every route that changes data, except to the webhook, the routes of buyers and those of e-mail domains', async () => {
    // OFREP evaluates flags by POST and changes nothing
    const changing = (await routesOf(served.runtime)).filter(
      (route) => !/^(GET |HEAD |OPTIONS |POST \/ofrep\/)/.test(route),
    );
    const ofOrganizations = Object.keys(rightRequests).filter((route) => !route.startsWith('GET '));
    // the webhook checks a signature instead of a token, and other specs send the requests of buyers and about domains
    const sentElsewhere = { ...buyerRequests, ...domainRequests };
    const byToken = changing.filter((route) => route !== 'POST /webhooks/stripe' && !(route in sentElsewhere));
    expect([...Object.keys(acts), ...ofOrganizations].sort()).toEqual(byToken.sort());
  });

  it.each(Object.keys(acts) as Route[])('is accepted by %s', async (route) => {
    const [account, by] = await operator();
    const { status, text } = await act(route, by, account);
    expect([route, Math.floor(status / 100), text && status >= 300 ? text : '']).toEqual([route, 2, '']);
  });

  it.each(Object.keys(rightRequests).filter((route) => !route.startsWith('GET ')) as Route[])(
    'is accepted by %s',
    async (route) => {
      const [, by] = await operator();
      const { path: at, body } = rightRequests[route]!(await fullOrganization(served, await served.key()));
      expect([route, Math.floor((await by.send(route.split(' ')[0]!, at, body)).status / 100)]).toEqual([route, 2]);
    },
  );
});

describe('T3: Log entry of a successful request', () => {
  it.each([
    ['POST /login', 'signed-in'],
    ['POST /logout', 'signed-out'],
    ['POST /reset', 'password-set'],
    ['PUT /api/v1/me/password', 'password-changed'],
    ['DELETE /api/v1/me/sessions/:id', 'session-ended'],
    ['POST /api/v1/keys', 'key-created'],
    ['DELETE /api/v1/keys/:id', 'key-revoked'],
    ['PUT /api/v1/accounts/:id/role', 'role-assigned'],
    ['POST /api/v1/accounts/:id/disable', 'account-disabled'],
    ['POST /api/v1/accounts/:id/enable', 'account-enabled'],
    ['DELETE /api/v1/accounts/:id/sessions', 'sessions-ended'],
    ['POST /api/v1/accounts/:id/erase', 'account-erased'],
  ] as readonly (readonly [Route, string])[])('to %s has the result %s', async (route, result) => {
    const [account, by] = await operator();
    const answer = await act(route, by, account);
    const entries = await entriesOf(answer);
    expect(entries).toMatchObject([
      {
        time: moment,
        actor: { kind: 'account', id: expect.stringMatching(/^[\da-f-]{36}$/) as string },
        address: '127.0.0.1',
        result,
      },
    ]);
    const { actor } = entries[0] as { actor: { id: string } };
    const isOwn = route !== 'POST /login' && route !== 'POST /reset';
    expect(actor.id === account.id).toBe(isOwn);
  });

  it('names the account that an operator changed, or the API key that an operator created', async () => {
    const [account, by] = await operator();
    const role = await acts['PUT /api/v1/accounts/:id/role']!(served, account);
    const id = role.path.split('/')[4];
    expect(await entriesOf(await by.send('PUT', role.path, role.body))).toMatchObject([{ account: id }]);
    const key = await act('POST /api/v1/keys', by, account);
    expect(await entriesOf(key)).toMatchObject([{ key: key.body.id }]);
  });
});

describe('T3: Log entry of a refused request', () => {
  const refusals: readonly (readonly [string, string, (by: Browser, organization: string) => Promise<Answer>])[] = [
    ['a forged request', 'xsrf', (by) => by.send('POST', '/logout', undefined, { headers: { 'X-XSRF-TOKEN': 'x' } })],
    [
      'a request from another site',
      'xsrf',
      (by) => by.send('POST', '/login', {}, { headers: { Origin: 'https://evil.example' } }),
    ],
    [
      'a request to a route for operators',
      'not-allowed',
      (by) => by.send('POST', '/api/v1/keys', { name: 'x', scopes: ['flags:read'], password: 'x' }),
    ],
    [
      'a request with a wrong password',
      'wrong-password',
      (by) => by.send('POST', '/api/v1/me/close', { password: 'not it at all' }),
    ],
    [
      'a change by a member without the right',
      'not-allowed',
      (by, organization) => by.send('PATCH', path(organization), { name: 'X' }),
    ],
  ];

  it.each(refusals)('has the request id of the answer, for %s: %s', async (_, reason, ask) => {
    const account = await person(served);
    const key = await served.key();
    const organization = await founded(served, { by: key });
    await served.ask('POST', path(organization, '/members'), { key, body: { user: account.id, role: 'member' } });
    const answer = await ask(await signedIn(served, account), organization);
    expect([answer.status, answer.body.instance]).toEqual([403, answer.headers['request-id']]);
    const entries = await entriesOf(answer);
    expect(entries).toMatchObject([
      {
        time: moment,
        address: '127.0.0.1',
        status: 403,
        result: `/problems/${reason}`,
        // The log entry of a possibly forged request names no actor, because the service does not look up the
        // session.
        ...(reason !== 'xsrf' && { actor: { kind: 'account', id: account.id } }),
        ...(_.includes('member') && { organization }),
      },
    ]);
  });
});
