import { randomUUID } from 'node:crypto';
import type { Account } from '@charter/identity';
import { ALL_STREAMS, openCheckpoint, rootOf, signCheckpoint, verifierOf } from '@charter/integrity';
import { organizationStream } from '@charter/organization';
import { signWholeLog } from '@charter/application';
import { done, founded, path } from '../support/requests/organizations';
import { eventsOf, keyId, type Served, serving, until } from '../support/serving';
import { person, signedIn } from '../support/sign-in/people';
import { cutOff, tampered } from '../support/stores/tampering';

const PUBLISHED = '/.well-known/charter-checkpoint';
let served: Served;
let key: string;
beforeEach(async () => {
  served = await serving();
  key = await served.key();
});
afterEach(() => served.close());

const at = () => new Date(served.clock.now()).toISOString();
const sign = () => signWholeLog(served.charter, { at: at() });
const published = () => served.ask('GET', PUBLISHED);
const noteOf = (id: string, by = key) => served.ask('GET', path(id, '/checkpoint'), { key: by });
const opened = (note: string) => openCheckpoint(note, verifierOf(served.charter.signer.verifierKey));
const hashes = async (id: string) =>
  (await eventsOf(served, organizationStream(id))).map(({ metadata }) => (metadata as { hash: string }).hash);
const rename = (id: string, ...names: readonly string[]) =>
  done(served, key, id, ...names.map((name) => ['PATCH', '', { name }] as const));

describe('I9: The published checkpoint', () => {
  it('is the last signed note over all streams, and needs no API key; before the first note the answer is 404', async () => {
    expect(await published()).toMatchObject({ status: 404, body: { type: '/problems/not-found' } });
    await founded(served, { by: key });
    const first = (await sign())!;
    expect(await published()).toMatchObject({
      status: 200,
      text: first.note,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    });
    await founded(served, { by: key, name: 'Borg' });
    const second = (await sign())!;
    expect((await published()).text).toBe(second.note);
    expect(opened(second.note)).toEqual(second.checkpoint);
    expect((await served.ask('HEAD', PUBLISHED)).status).toBe(200);
    expect((await served.ask('POST', PUBLISHED, { body: {} })).status).toBe(405);
  });

  it('is not published if the stored note was altered, or covers one stream only', async () => {
    const id = await founded(served, { by: key });
    const { note, checkpoint } = (await sign())!;
    let present = note;
    const replaceBy = async (text: string) => {
      expect(await served.charter.database.signedHeads.sign(text, [], { from: present })).toBe(true);
      present = text;
    };
    await replaceBy(note.replace(/^at .*$/m, 'at 2020-01-01T00:00:00.000Z'));
    expect(await published()).toMatchObject({ status: 500, body: { type: '/problems/not-believed' } });
    await replaceBy(signCheckpoint({ ...checkpoint, covers: organizationStream(id) }, served.charter.signer));
    expect(await published()).toMatchObject({ status: 500, body: { type: '/problems/not-believed' } });
    expect((await noteOf(id)).status).toBe(500);
    await replaceBy(note);
    expect((await published()).text).toBe(note);
  });
});

describe("The checkpoint of an organization's history", () => {
  it("signs the hash of the history's last event; its first line names the store and the organization", async () => {
    const id = await founded(served, { by: key });
    await rename(id, 'Acme & Sons');
    const { status, headers, text } = await noteOf(id);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/plain; charset=utf-8' });
    const stream = organizationStream(id);
    const events = await eventsOf(served, stream);
    const store = await served.charter.log.identity();
    expect(text.split('\n').slice(0, 2)).toEqual([`charter/${store}/organizations/${id}`, '2']);
    expect(opened(text)).toEqual({
      ...{ store, path: `organizations/${id}`, events: 2, covers: stream },
      root: rootOf([{ stream, head: (await hashes(id)).at(-1)! }]),
      ...{ position: events.at(-1)!.position, at: expect.any(String) as string },
    });
    expect(text).not.toContain('Acme');
  });

  it('is correct when all events are already signed, and when newer events follow', async () => {
    const id = await founded(served, { by: key });
    await sign();
    const whole = opened((await noteOf(id)).text);
    expect(whole).toMatchObject({ events: 1, position: (await eventsOf(served, organizationStream(id)))[0]!.position });
    await rename(id, 'Borg', 'Cog');
    const later = opened((await noteOf(id)).text);
    expect(later).toMatchObject({ events: 3, covers: organizationStream(id) });
    expect(later.root).toBe(rootOf([{ stream: organizationStream(id), head: (await hashes(id)).at(-1)! }]));
  });

  it('is refused if events are missing or were changed', async () => {
    const [short, changed] = [await founded(served, { by: key }), await founded(served, { by: key, name: 'Borg' })];
    await rename(short, 'Acme 2');
    await sign();
    await rename(changed, 'Borg 2');
    await until(() => served.runtime.projection.now().phase === 'running');
    cutOff(`${served.folder}/events.db`, organizationStream(short), 1);
    expect(await noteOf(short)).toMatchObject({ status: 500, body: { type: '/problems/broken-chain', at: 1 } });
    tampered(
      `${served.folder}/events.db`,
      'UPDATE events SET data = CAST(\'{"name":"Cog"}\' AS BLOB) WHERE revision = 1 AND stream = (SELECT id FROM streams WHERE name = ?)',
      organizationStream(changed),
    );
    expect(await noteOf(changed)).toMatchObject({ status: 500, body: { type: '/problems/broken-chain', at: 1 } });
  });

  it('needs the right to read the history, also for a closed organization; Charter does not record this read', async () => {
    const [ada, ben] = [await person(served), await person(served)];
    const id = await founded(served, { by: key, owner: ada.id });
    await done(served, key, id, ['POST', '/members', { user: ben.id, role: 'member' }]);
    const statusFor = async (account: Account) =>
      (await (await signedIn(served, account)).get(path(id, '/checkpoint'))).status;
    expect([await statusFor(ada), await statusFor(ben)]).toEqual([200, 403]);
    expect((await noteOf(id, await served.key({ scopes: ['organizations:read'] }))).status).toBe(403);
    expect((await noteOf(id, await served.key({ organization: randomUUID() }))).status).toBe(404);
    expect(await noteOf(randomUUID())).toMatchObject({ status: 404, body: { type: '/problems/no-such-organization' } });
    await done(served, key, id, ['POST', '/close', { reason: 'moved away' }]);
    const auditor = await served.key({ scopes: ['audit:read'] });
    expect((await noteOf(id, auditor)).status).toBe(200);
    const trail = `key-${await keyId(served, auditor)}`;
    const recorded = async () => (await eventsOf(served, trail)).map(({ type }) => type);
    await until(async () => (await recorded()).length > 0);
    expect(await recorded()).toEqual(['KeyUsed']);
  });

  it('is not a checkpoint over the whole log', async () => {
    const id = await founded(served, { by: key });
    expect(opened((await noteOf(id)).text).covers).not.toBe(ALL_STREAMS);
    expect((await served.ask('GET', path(id, '/verify'), { key })).body).toMatchObject({ ok: true, signed: null });
  });
});
