import { charterLine, curlLine } from './request-lines';
import { createRequestLog } from './request-log';

const ID = '7c1e52f0-4b1d-4a57-9d0e-2f3b9a6c1d10';
const get = (address: string) => ({ method: 'GET', address, fields: [] });

describe('The log of requests', () => {
  const made = { method: 'GET', address: '/api/v1/me', fields: [], status: 200, milliseconds: 3, request: 'r' };

  it('contains the latest 50 requests, newest first', () => {
    const log = createRequestLog();
    for (let count = 0; count < 60; count += 1) log.add({ ...made, status: count });
    expect(log.all()).toHaveLength(50);
    expect(log.all()[0]).toEqual({ ...made, number: 60, status: 59 });
    expect(log.all().at(-1)).toEqual({ ...made, number: 11, status: 10 });
  });

  it('calls each listener after a request until the listener is removed', () => {
    const log = createRequestLog();
    const changed = jest.fn();
    const leave = log.listen(changed);
    log.add(made);
    leave();
    log.add(made);
    expect(changed).toHaveBeenCalledTimes(1);
  });
});

describe('The curl command for a request', () => {
  it('contains the URL with its query string, and a shell variable for the API key', () =>
    expect(
      curlLine(get(`/api/v1/organizations/${ID}?asOf=3&valid=2026-05-02T00%3A00%3A00Z`), 'https://c.example'),
    ).toBe(
      `curl -H "Authorization: Bearer $CHARTER_KEY" 'https://c.example/api/v1/organizations/${ID}?asOf=3&valid=2026-05-02T00%3A00%3A00Z'`,
    ));
  it('contains the HTTP method if it is not GET', () =>
    expect(curlLine({ method: 'DELETE', address: '/api/v1/me/sessions/s', fields: [] }, 'https://c.example')).toBe(
      'curl -X DELETE -H "Authorization: Bearer $CHARTER_KEY" https://c.example/api/v1/me/sessions/s',
    ));
  it('contains the fields of a body with empty values', () =>
    expect(curlLine({ method: 'POST', address: '/api/v1/x/names', fields: ['ids', 'q'] }, 'https://c.example')).toBe(
      `curl -X POST -H "Authorization: Bearer $CHARTER_KEY" -H "Content-Type: application/json" -d '{"ids":"","q":""}' https://c.example/api/v1/x/names`,
    ));
  it.each(["'; rm -rf /'", '$(id)', '`id`', 'a b', '"'])('quotes %s, so that no shell executes this text', (text) => {
    const line = curlLine(get(`/x?q=${text}`), 'https://c.example');
    const word = line.slice('curl -H "Authorization: Bearer $CHARTER_KEY" '.length);
    expect(word.replaceAll(String.raw`'\''`, '')).toMatch(/^'[^']*'$/);
  });
});

describe('The `charter` command for a request', () => {
  const base = `/api/v1/organizations/${ID}`;
  it.each([
    [base, `charter organization show ${ID}`],
    [`${base}/entitlements?asOf=3`, `charter organization show ${ID} --as-of 3`],
    [`${base}/events?from=3&to=3`, `charter history ${ID} --from 3 --to 3`],
    [
      `${base}/readers?from=2026-05-02T00%3A00%3A00.000Z&limit=100`,
      `charter readers ${ID} --from 2026-05-02T00:00:00.000Z --limit 100`,
    ],
    [`${base}/diff?from=3&to=now&unknown=1`, `charter diff ${ID} --from 3 --to now`],
    [
      `${base}/events?actor=stripe&correlation=r&not-type=TrafficReported&order=newest&limit=100`,
      `charter history ${ID} --actor stripe --correlation r --not-type TrafficReported --newest --limit 100`,
    ],
    [`${base}/events?order=oldest`, `charter history ${ID}`],
    ['/api/v1/catalogue', 'charter catalogue list'],
  ])('of %s is %s', (address, line) => expect(charterLine(get(address))).toBe(line));
  it.each([
    ['/api/v1/organizations', 'charter organization list'],
    [
      '/api/v1/organizations?q=acme%20ltd&plan=second%2Fsolo&limit=20&cursor=eyJhIjoxfQ',
      "charter organization list --q 'acme ltd' --plan second/solo --limit 20 --cursor eyJhIjoxfQ",
    ],
    [`${base}/members?sort=role&cursor=a`, `charter members list ${ID}`],
    ['/.well-known/charter-checkpoint-key', 'charter checkpoint key'],
    [`${base}/events?fold=repetitions&limit=5`, `charter history ${ID} --fold --limit 5`],
  ])('of %s is %s', (address, line) => expect(charterLine(get(address))).toBe(line));

  const MEMBER = '0d9f8f2e-7a51-4f0c-8c0b-1f6b8d3c2a10';
  it.each([
    ['POST', `${base}/members`, ['email', 'role'], `charter members add ${ID} '<EMAIL>' '<ROLE>'`],
    ['PATCH', `${base}/members/${MEMBER}`, ['role'], `charter members role ${ID} ${MEMBER} '<ROLE>'`],
    ['DELETE', `${base}/members/${MEMBER}`, [], `charter members remove ${ID} ${MEMBER}`],
  ])(
    'of %s %s contains the logged ids, and placeholders for values that are not logged',
    (method, address, fields, line) => expect(charterLine({ method, address, fields })).toBe(line),
  );

  it.each(['/api/v1/me', `${base}/steps?from=0`, `${base}/standing`])('is missing for %s', (address) =>
    expect(charterLine(get(address))).toBeUndefined(),
  );
  it.each(['asOf=3', 'valid=2026-05-02T00:00:00Z', 'role=owner', 'state=invited'])(
    'is missing for a list of members with %s, because the command lists all members of the present',
    (query) => expect(charterLine(get(`${base}/members?${query}`))).toBeUndefined(),
  );
  it.each([
    ['DELETE', base, []],
    ['PATCH', `${base}/members/${MEMBER}`, ['productUser']],
    ['POST', `${base}/sites`, ['hostname']],
    ['POST', `${base}/commands`, ['commands', 'shown']],
  ])('is missing for %s %s with the fields %p, because no command makes this change', (method, address, fields) =>
    expect(charterLine({ method, address, fields })).toBeUndefined(),
  );
});
