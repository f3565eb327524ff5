import { signWholeLog } from '@charter/application';
import { openCheckpoint, rootOf, verifierOf } from '@charter/integrity';
import { organizationStream } from '@charter/organization';
import { type Process, served, several, type Several } from '../support/network/processes';
import { done, founded, path } from '../support/requests/organizations';
import { eventsOf, keyId, until } from '../support/serving';
import { type Browser, person, signedIn } from '../support/sign-in/people';
import { leader } from './observing';

let all: Several;
let both: readonly [Process, Process];
let key: string;
beforeAll(async () => {
  all = await several();
  both = await Promise.all([all.start(), all.start()]);
  key = await all.key();
}, 120_000);
afterAll(() => all.end(), 60_000);

type Reader = Readonly<{ actor: Readonly<{ id: string }>; did: string }>;
const readerAndAction = ({ actor: { id }, did }: Reader) => `${id} ${did}`;
const readersBy = async (owner: Browser, id: string) => {
  const { body } = await owner.get(path(id, '/readers'));
  return (body['readers'] as Reader[]).map(readerAndAction);
};

describe('Two processes', () => {
  it('publish the same checkpoint, and sign the same last hash of an organization', async () => {
    const id = await founded(served(all, both[0]), { by: key });
    await done(served(all, both[1]), key, id, ['PATCH', '', { name: 'Acme Oy' }]);
    const at = new Date(all.clock.now()).toISOString();
    const { note } = (await signWholeLog(all.charter, { at }))!;
    await done(served(all, both[0]), key, id, ['PATCH', '', { name: 'Acme Ab' }]);
    const stream = organizationStream(id);
    const hash = ((await eventsOf(all, stream)).at(-1)!.metadata as { hash: string }).hash;
    for (const { ask } of both) {
      expect((await ask('GET', '/.well-known/charter-checkpoint')).text).toBe(note);
      const verifier = (await ask('GET', '/.well-known/charter-checkpoint-key')).text.trim();
      const own = (await ask('GET', path(id, '/checkpoint'), { key })).text;
      expect(openCheckpoint(own, verifierOf(verifier))).toMatchObject({
        ...{ events: 3, covers: stream, root: rootOf([{ stream, head: hash }]) },
      });
    }
  }, 60_000);

  it('list each reader of a history once, even after the projecting process was killed', async () => {
    const ada = await person(all);
    const id = await founded(served(all, both[0]), { by: key, owner: ada.id });
    for (const process of both)
      expect((await (await signedIn(process, ada)).get(path(id, '/events'))).status).toBe(200);
    const shop = await all.key();
    const shopId = await keyId(all, shop);
    expect((await both[1].ask('GET', path(id, '/events'), { key: shop })).status).toBe(200);
    const expected = [`${ada.id} read`, `${shopId} read`].sort();
    for (const process of both) {
      const owner = await signedIn(process, ada);
      await until(async () => (await readersBy(owner, id)).length >= 2, 30_000);
      expect((await readersBy(owner, id)).sort()).toEqual(expected);
    }

    const first = await leader(all, both);
    const left = both.find((process) => process !== first)!;
    await first.kill();
    const owner = await signedIn(left, ada);
    expect((await left.ask('GET', path(id, '/export'), { key: shop })).status).toBe(200);
    await until(async () => (await readersBy(owner, id)).length >= 3, 60_000);
    expect((await readersBy(owner, id)).sort()).toEqual([...expected, `${shopId} exported`].sort());
  }, 120_000);
});
