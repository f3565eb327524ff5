import { linkHash } from '@charter/identity';
import { browser, mailsOf, person, tokenIn } from '../../support/sign-in/people';
import { type Served, serving } from '../../support/serving';
import { everythingIn } from '../../support/stores/tables';

let served: Served;
beforeAll(async () => {
  served = await serving({ environment: { RATE_LIMITS: 'off' } });
});
afterAll(() => served.close());

/** Everything that the service has stored or printed, as bytes: database files, event log, log lines and metrics. */
async function everythingStored(): Promise<Buffer> {
  const files = await everythingIn(served);
  const events: string[] = [];
  for await (const event of served.charter.log.readAll()) events.push(JSON.stringify({ ...event, revision: 0 }));
  const metrics = (await served.ask('GET', '/metrics')).text;
  expect([files.length > 2, events.length > 100, served.lines.length > 100, metrics.length > 100]).not.toContain(false);
  return Buffer.concat([...files, Buffer.from([...events, ...served.lines, metrics].join('\n'))]);
}

/** The encodings in which a token, or the 32 bytes in it, could be stored: raw, hex, base64, URL-encoded. */
function writings(token: string): readonly (string | Buffer)[] {
  const [bytes, text] = [Buffer.from(token, 'base64url'), Buffer.from(token)];
  const base64 = [bytes.toString('base64'), text.toString('base64').replace(/=+$/, '').slice(0, -1)];
  const escaped = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  return [
    ...[token, bytes, bytes.toString('hex'), text.toString('hex'), bytes.toString('hex').toUpperCase()],
    ...[...base64, ...base64.map(encodeURIComponent), escaped, escaped.toUpperCase()],
  ];
}

it('B5: a reset token is only in its mail, and nowhere else in any encoding', async () => {
  const people = await Promise.all(Array.from({ length: 100 }, () => person(served, { password: null })));
  const here = await browser(served);
  for (const { email } of people) await here.send('POST', '/forgot', { email });
  await served.runtime.backgroundWork.settled();
  const tokens = [];
  for (const one of people) tokens.push(tokenIn((await mailsOf(served, one)).at(-1)!));
  expect(new Set(tokens).size).toBe(100);
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  const body = { token: tokens[0], password: 'a whole new password 42' };
  for (const status of [204, 400]) expect((await here.send('POST', '/reset', body)).status).toBe(status);

  const hashes = tokens.slice(1).map(linkHash);
  const everywhere = await everythingStored();
  // proves that the search works: it finds the hashes of tokens, which are stored
  expect(hashes.filter((hash) => !everywhere.includes(hash))).toEqual([]);
  expect(tokens.flatMap(writings).filter((written) => everywhere.includes(written))).toEqual([]);
});
