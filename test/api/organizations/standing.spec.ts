import { randomUUID } from 'node:crypto';
import { serviceForSpecs } from '../../support/requests/http-client';
import { done, founded, path } from '../../support/requests/organizations';
import { type Served, serving, type Stores } from '../../support/serving';
import { person, signedIn } from '../../support/sign-in/people';
import { withFaults } from '../../support/stores/faults';

let served: Served;
let key: string;
const ask = serviceForSpecs((...begun) => ([served, key] = begun));

/**
 * An organization with an owner, an administrator and a member, and a browser in which each of these people is signed
 * in.
 */
async function people() {
  const id = await founded(served, { by: key });
  const [owner, admin, member] = [await person(served), await person(served), await person(served)];
  await done(
    served,
    key,
    id,
    ['PUT', '/plan', { line: 'second', plan: 'enterprise' }],
    ['POST', '/members', { user: owner.id, role: 'owner' }],
    ['POST', '/members', { user: admin.id, role: 'admin' }],
    ['POST', '/members', { user: member.id, role: 'member' }],
  );
  const [ofOwner, ofAdmin, ofMember] = await Promise.all([owner, admin, member].map((each) => signedIn(served, each)));
  return { id, owner, ofOwner: ofOwner!, ofAdmin: ofAdmin!, ofMember: ofMember! };
}
const standing = (id: string) => path(id, '/standing');

describe('GET /api/v1/organizations/:id/standing', () => {
  it('names the commands that the caller may send, the data that the caller may read, and the roles that the caller may give', async () => {
    const { id, ofOwner, ofAdmin, ofMember } = await people();
    expect((await ofMember.send('GET', standing(id))).body).toEqual({
      ...{ organization: id, roles: ['member'], may: [], reads: ['document'], grants: [] },
    });
    const admin = (await ofAdmin.send('GET', standing(id))).body;
    expect(admin).toMatchObject({
      roles: ['admin'],
      reads: ['document', 'names', 'history', 'export', 'billing'],
      grants: ['admin', 'member'],
    });
    expect(admin['may']).toEqual(expect.arrayContaining(['AddMember', 'RenameOrganization']));
    expect(admin['may']).not.toContain('AssignPlan');
    expect((await ofOwner.send('GET', standing(id))).body['may']).toContain('ConfigureSingleSignOn');
  });

  it('changes with the next request after a change of the role, and after the closing of the organization', async () => {
    const { id, owner, ofOwner } = await people();
    await done(served, key, id, ['POST', '/close', { reason: 'moved' }]);
    expect((await ofOwner.send('GET', standing(id))).body).toMatchObject({
      ...{ roles: ['owner'], may: ['ReleaseEmailDomain'], grants: [] },
    });
    await done(
      served,
      key,
      id,
      ['POST', '/reopen', { reason: 'back' }],
      ['POST', '/members', { user: (await person(served)).id, role: 'owner' }],
    );
    await done(served, key, id, ['PATCH', `/members/${owner.id}`, { role: 'member' }]);
    expect((await ofOwner.send('GET', standing(id))).body).toMatchObject({ roles: ['member'], may: [] });
  });

  it('names the scopes of an API key, and no roles', async () => {
    const id = await founded(served, { by: key });
    const reader = await served.key({ scopes: ['organizations:read'] });
    expect((await ask('GET', standing(id), { key: reader })).body).toEqual({
      ...{ organization: id, roles: [], scopes: ['organizations:read'], may: [], reads: ['document'], grants: [] },
    });
  });

  it('answers 404 to a person who is not a member, and for an unknown organization', async () => {
    const id = await founded(served, { by: key });
    const stranger = await signedIn(served, await person(served));
    expect((await stranger.send('GET', standing(id))).status).toBe(404);
    expect((await ask('GET', standing(randomUUID()))).status).toBe(404);
  });

  it('names the permissions even if the read model does not answer, because they come from the event log', async () => {
    const viewFails = ({ catalogue, log, database }: Stores): Stores => {
      const isParked = () => Promise.reject(new Error('no table'));
      const view: typeof database.view = (shape) => withFaults(database.view(shape), { isParked });
      return { catalogue, log, database: { ...database, view } };
    };
    const broken = await serving({ between: viewFails });
    const account = await person(broken);
    const id = await founded(broken, { by: await broken.key(), owner: account.id });
    const { status, body } = await (await signedIn(broken, account)).send('GET', standing(id));
    expect([status, body['roles'], body['parked']]).toEqual([200, ['owner'], undefined]);
    expect(broken.entries().filter(({ level }) => Number(level) > 30)).toEqual([]);
    await broken.close();
  });
});
