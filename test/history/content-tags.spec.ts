import { serviceForSpecs } from '../support/requests/http-client';
import { done, founded, path } from '../support/requests/organizations';
import type { Served } from '../support/serving';
import { type Browser, PASSWORD, accountEventsOf, person, signedIn } from '../support/sign-in/people';

let served: Served;
let key: string;
serviceForSpecs((...begun) => ([served, key] = begun));

/** An organization with an owner and an administrator. */
async function lived() {
  const [ada, ben] = [await person(served, { name: 'Ada Jansen' }), await person(served, { name: 'Ben Okafor' })];
  const id = await founded(served, { by: key, owner: ada.id });
  await done(
    served,
    key,
    id,
    ['POST', '/members', { user: ben.id, role: 'admin' }],
    ['PATCH', '', { name: 'Acme Oy' }],
  );
  const [owner, admin] = [await signedIn(served, ada), await signedIn(served, ben)];
  return { id, owner, admin, ben };
}
/** The status, the ETag and the text of an answer to a caller who knows the answer with the given ETag. */
async function read(by: Browser, address: string, known?: string) {
  const headers: Record<string, string> = known === undefined ? {} : { 'If-None-Match': known };
  const { status, headers: received, text } = await by.get(address, { headers });
  return { status, tag: received['etag'], text };
}

describe.each(['/steps?from=0', '/changes?path=/members', '/changes?path=/name&order=oldest'])(
  'The ETag of %s',
  (query) => {
    it('stays the same while no event is recorded, and a request with this tag gets 304 without a body', async () => {
      const { id, owner } = await lived();
      const { status, tag, text } = await read(owner, path(id, query));
      expect([status, tag]).toEqual([200, expect.stringMatching(/^"[\da-f]{8}-[\da-f]{16}"$/)]);
      expect(await read(owner, path(id, query), tag)).toEqual({ status: 304, tag, text: '' });
      expect(await read(owner, path(id, query), '"x"')).toEqual({ status: 200, tag, text });
    });

    it('changes when an event changes the answer', async () => {
      const { id, owner } = await lived();
      const { tag } = await read(owner, path(id, query));
      const eve = await person(served);
      const member = ['POST', '/members', { user: eve.id, role: 'member' }] as const;
      await done(served, key, id, member, ['PATCH', '', { name: 'Acme Group' }]);
      const later = await read(owner, path(id, query), tag);
      expect([later.status, later.tag === tag]).toEqual([200, false]);
    });

    it('gives a caller without the right to read the history neither the answer nor 304', async () => {
      const { id, owner, admin, ben } = await lived();
      const { tag } = await read(owner, path(id, query));
      expect((await read(admin, path(id, query), tag)).status).toBe(304); // gets the same answer as the owner
      await done(served, key, id, ['PATCH', `/members/${ben.id}`, { role: 'member' }]);
      expect((await read(admin, path(id, query), tag)).status).toBe(403);
      const stranger = await signedIn(served, await person(served));
      expect((await read(stranger, path(id, query), tag)).status).toBe(404);
    });

    it('does not hide the read: Charter also records a read that gets 304', async () => {
      const { id, owner } = await lived();
      const { tag } = await read(owner, path(id, query));
      const auditor = await person(served, { role: 'auditor' });
      expect((await read(await signedIn(served, auditor), path(id, query), tag)).status).toBe(304);
      const reads = (await accountEventsOf(served, auditor)).filter(({ type }) => type === 'HistoryRead');
      expect(reads.map(({ data }) => data)).toEqual([{ organization: id }]);
    });
  },
);

describe.each(['/steps?from=0', '/changes?path=/members'])('After the erasure of a member, %s', (query) => {
  it('has another ETag, and a request with the earlier tag gets the answer with the removal', async () => {
    const { id, owner, admin, ben } = await lived();
    const { tag } = await read(owner, path(id, query));
    expect((await admin.send('POST', '/api/v1/me/close', { password: PASSWORD })).status).toBe(200);
    const { status, tag: later, text } = await read(owner, path(id, query), tag);
    expect([status, later === tag]).toEqual([200, false]);
    expect(text).toContain('MemberRemoved');
    for (const personal of ['Ben Okafor', ben.email!]) expect(text).not.toContain(personal);
  });
});

it('A block of steps keeps its ETag after later events, and each selection of its parts has a separate ETag', async () => {
  const { id, owner } = await lived();
  const queries = ['', '&base=false', '&only=members', '&only=settings&base=false'].map((more) => `from=0&to=1${more}`);
  const answers = await Promise.all(queries.map((one) => read(owner, path(id, `/steps?${one}`))));
  expect(answers.map(({ status }) => status)).toEqual(queries.map(() => 200));
  expect(new Set(answers.map(({ tag }) => tag)).size).toBe(queries.length);
  await done(served, key, id, ['PATCH', '', { name: 'Acme Group' }]);
  for (const [index, one] of queries.entries())
    expect((await read(owner, path(id, `/steps?${one}`), answers[index]!.tag)).status).toBe(304);
});
