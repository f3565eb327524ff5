import { randomUUID } from 'node:crypto';
import { serviceForSpecs } from '../support/requests/http-client';
import { done, founded, path } from '../support/requests/organizations';
import { type Served, settled } from '../support/serving';
import { type Browser, person, signedIn } from '../support/sign-in/people';
import { onTables } from '../support/stores/tables';

let served: Served;
let key: string;
let id: string;
let owner: Browser;
serviceForSpecs((...begun) => ([served, key] = begun));

const stream = () => `organization-${id}`;
/** Spoils the document in the read model, so that an answer from the read model differs from the events. */
async function spoilDocument(): Promise<void> {
  await settled(served);
  for (const [good, bad] of [
    ['Acme', 'Old'],
    ['shop.test', 'old.test'],
    ['"role":"admin"', '"role":"member"'],
  ])
    await onTables(
      served,
      `update documents set state = replace(state, '${good}', '${bad}') where stream = '${stream()}'`,
    );
}
const park = () =>
  onTables(
    served,
    `insert into parked (view, edition, stream, revision, error, attempts, since, released)
     select view, edition, stream, 1, 'a spec', 4, at, 0 from documents where stream = '${stream()}'`,
  );

beforeAll(async () => {
  const [ada, ben] = [await person(served, { name: 'Ada Jansen' }), await person(served)];
  id = await founded(served, { by: key, owner: ada.id });
  owner = await signedIn(served, ada);
  await done(served, key, id, ['PUT', '/plan', { line: 'second', plan: 'teams' }]);
  await done(served, key, id, ['POST', '/members', { user: ben.id, role: 'admin' }]);
  await done(served, key, id, ['POST', '/sites', { hostname: 'shop.test', name: 'Shop' }]);
});

/** The body of the answer that the owner gets for this path. */
const read = async (rest: string) => {
  const { status, body, text } = await owner.get(path(id, rest));
  if (status !== 200) throw new Error(text);
  return body as Readonly<Record<string, unknown>>;
};

describe('The answers about an organization whose stream is parked', () => {
  /**
   * The paths of some reads; `reading-routes.spec.ts` has each route once. `before` has their answers from before the
   * stream was parked.
   */
  const reads = [
    '',
    '/standing',
    '/steps?from=0',
    '/changes?path=/members',
    '/members?sort=role',
    '/members?role=admin',
    '/sites?q=shop',
  ];
  /** The answer to each read before the stream was parked. */
  const before = new Map<string, object>();
  /** The answer from the spoilt document, before the stream was parked. */
  let spoilt: object;
  beforeAll(async () => {
    for (const rest of reads) before.set(rest, await read(rest));
    await spoilDocument();
    spoilt = await read('/sites?q=old'); // the process may still have the printed document in memory
    await park();
  });
  afterAll(() => onTables(served, `delete from parked where stream = '${stream()}'`));

  it.each(reads)("come from the organization's own events, so that GET …%s answers as before", async (rest) => {
    const { parked, ...answer } = await read(rest);
    expect(spoilt).toMatchObject({ sites: [{ hostname: 'old.test' }] });
    expect([answer, parked]).toEqual([before.get(rest), rest === '/standing' ? true : undefined]);
  });

  it('contain the events that were added after the stream was parked', async () => {
    const user = randomUUID();
    await done(served, key, id, ['POST', '/members', { user, role: 'member' }], ['PATCH', '', { name: 'Acme Oy' }]);
    expect((await read('/members?limit=100'))['members']).toContainEqual(expect.objectContaining({ user }));
    expect((await read('/changes?path=/name'))['changes']).toMatchObject([{ after: 'Acme Oy' }, { after: 'Acme' }]);
    expect((await read('/steps?from=0'))['steps']).toContainEqual(
      expect.objectContaining({ type: 'OrganizationRenamed' }),
    );
  });
});
