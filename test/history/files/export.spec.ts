import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { scopes } from '@charter/identity';
import { readExportSummary, readLines, openCheckpoint, verifierOf } from '@charter/integrity';
import { organizationStream } from '@charter/organization';
import { withFaults } from '../../support/stores/faults';
import { done, founded, path } from '../../support/requests/organizations';
import { eventsOf, keyId, type Served, serving, until } from '../../support/serving';
import { browser, person, signedIn } from '../../support/sign-in/people';

let served: Served;
let key: string;
let id: string;
let reading = 0;
beforeAll(async () => {
  served = await serving({
    between: (stores) => ({ ...stores, log: withFaults(stores.log, { readStream: counted(stores.log) }) }),
  });
  key = await served.key();
  id = await founded(served, { by: key });
  await rename(id, 'Acme & Sons', 'Acme & Daughters');
});
afterAll(() => served.close());

type Log = Served['charter']['log'];
const counted = (log: Log): Log['readStream'] =>
  async function* (stream, options) {
    reading += 1;
    try {
      yield* log.readStream(stream, options);
    } finally {
      reading -= 1;
    }
  };

const rename = (organization: string, ...names: readonly string[]) =>
  served.charter.organizations.execute(
    organizationStream(organization),
    names.map((name) => ({ type: 'RenameOrganization', data: { name } }) as const),
    {
      actor: { kind: 'system', id: 'spec', powers: ['operator'] },
      at: new Date().toISOString(),
      ...{ command: randomUUID(), correlation: randomUUID(), causation: randomUUID() },
    },
  );
const exported = (of = id, sent = {}) => served.ask('GET', path(of, '/export'), { key, ...sent });
async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

describe('The export of an organization', () => {
  it('contains every event, and a checkpoint that is signed with the published key', async () => {
    const { status, headers, text } = await exported();
    expect({ status, type: headers['content-type'], as: headers['content-disposition'] }).toEqual({
      status: 200,
      type: expect.stringMatching(/^application\/x-ndjson/) as string,
      as: `attachment; filename="organization-${id}.ndjson"`,
    });
    const stored = await eventsOf(served, organizationStream(id));
    const lines = text.split('\n');
    // one line is the signed checkpoint, and `split` adds an empty text after the last line break
    expect(lines).toHaveLength(stored.length + 2);
    const { events, head, signed } = await readExportSummary(readLines(bytesOf(text)));
    expect({ events, head }).toEqual({ events: 3, head: (stored[2]!.metadata as { hash: string }).hash });

    const published = await served.ask('GET', '/.well-known/charter-checkpoint-key');
    expect(published).toMatchObject({ status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' } });
    expect(published.text).toBe(`${signed!.key}\n`);
    const { checkpoint } = (JSON.parse(lines[3]!) as { data: { checkpoint: string } }).data;
    expect(openCheckpoint(checkpoint, verifierOf(published.text.trim()))).toEqual(signed!.checkpoint);
  });

  it("is recorded in the API key's stream, once for two exports; an export of an unknown organization is not recorded", async () => {
    const mine = await served.key();
    await exported(id, { key: mine });
    await exported(id, { key: mine });
    await exported(randomUUID(), { key: mine });
    const recorded = (await eventsOf(served, `key-${await keyId(served, mine)}`)).map(({ type, data }) => ({
      type,
      data,
    }));
    expect(recorded.filter(({ type }) => type === 'HistoryExported')).toEqual([
      { type: 'HistoryExported', data: { organization: id } },
    ]);
  });

  it('is only for API keys with the scope audit:read; a key of another organization and an unknown id get 404', async () => {
    for (const scope of scopes)
      expect([scope, (await exported(id, { key: await served.key({ scopes: [scope] }) })).status]).toEqual([
        scope,
        scope === 'audit:read' ? 200 : 403,
      ]);
    const own = await served.key({ scopes: ['audit:read'], organization: id });
    expect((await exported(id, { key: own })).status).toBe(200);
    const foreign = await served.key({ organization: randomUUID() });
    expect((await exported(id, { key: foreign })).status).toBe(404);
    const unknown = await exported(randomUUID());
    expect([unknown.status, unknown.body.type]).toEqual([404, '/problems/no-such-organization']);
    expect((await served.ask('POST', path(id, '/export'), { key, body: {} })).status).toBe(405);
  });

  it('is only for admins, owners, auditors and operators', async () => {
    const own = await founded(served, { by: key });
    const add = async (role: string) => {
      const account = await person(served);
      await done(served, key, own, ['POST', '/members', { user: account.id, role }]);
      return account;
    };
    const accounts = [
      [await add('owner'), 200],
      [await add('admin'), 200],
      [await add('member'), 403],
      [await person(served, { role: 'auditor' }), 200],
      [await person(served, { role: 'operator' }), 200],
      [await person(served), 404], // a stranger
    ] as const;
    for (const [account, status] of accounts) {
      const by = await signedIn(served, account);
      const answer = await by.get(path(own, '/export'));
      expect([status, answer.status, answer.text.includes('OrganizationFounded')]).toEqual([
        status,
        status,
        status === 200,
      ]);
    }
    expect((await (await browser(served)).get(path(own, '/export'))).status).toBe(401);
  });

  it('answers HEAD without a body', async () => {
    const { status, text } = await served.ask('HEAD', path(id, '/export'), { key });
    expect({ status, text }).toEqual({ status: 200, text: '' });
  });

  it('stops reading the event log when the client disconnects', async () => {
    const long = await founded(served, { by: key });
    const names = Array.from({ length: 500 }, (_, index) => `${'A long name '.repeat(15)}${index}`);
    for (let time = 0; time < 8; time += 1) await rename(long, ...names.map((name) => `${name} ${time}`));
    const { hostname, port } = new URL(served.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${path(long, '/export')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    // the client does not read the socket further, so the server waits
    await new Promise((resolve) => socket.once('readable', resolve));
    expect(reading).toBe(1);
    const logged = served.lines.length;
    socket.destroy();
    await until(() => reading === 0);
    expect(served.lines.slice(logged)).toEqual([]);
    const { text } = await exported(long);
    expect(await readExportSummary(readLines(bytesOf(text)))).toMatchObject({ events: 4_001 });
  }, 20_000);

  it('is refused for a broken hash chain, and the answer names the revision', async () => {
    const broken = await founded(served, { by: key });
    const foreign = { id: randomUUID(), type: 'OrganizationRenamed', data: { name: 'Evil' }, metadata: {} };
    await served.charter.log.append(organizationStream(broken), [foreign], { expected: 0n });
    const { status, body } = await exported(broken);
    expect({ status, ...body }).toMatchObject({ status: 500, type: '/problems/broken-chain', at: 1 });
    expect(served.entries().at(-1)).toMatchObject({ msg: 'a request failed' });
  });
});
