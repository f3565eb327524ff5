import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { organizationStream } from '@charter/organization';
import { openCharter, type Charter } from '@charter/application';
import { parseSettings } from '@charter/settings';
import { replayCertificates } from '../../apps/cli/src/accounts/account-replay';
import { commandLineContext } from '../../apps/cli/src/terminal/command-line-context';
import { commandLineCommands } from '../../apps/cli/src/terminal/organization-commands';
import { testAccount } from '../../libs/database/src/people/people.testing';
import { CommandLine } from '../cli/command-line';

let charter: CommandLine;
let folder: string;
beforeEach(() => {
  charter = new CommandLine();
  folder = join(charter.data, 'erasures');
});
afterEach(() => charter.remove());

const inside = <Result>(data: string, work: (here: Charter) => Promise<Result>) =>
  openCharter(parseSettings({ CHARTER_DATA: data }), 'server').then((here) => work(here).finally(() => here.close()));

/** A person who is the only owner of one organization and a member of another. */
const personWithOrganizations = (data: string) =>
  inside(data, async (here) => {
    const ada = testAccount({ name: 'Ada Lovelace' });
    await here.database.people.accounts.insert(ada);
    const [owned, joined] = [randomUUID(), randomUUID()];
    const execute = (id: string, command: Parameters<typeof here.organizations.execute>[1]) =>
      here.organizations.execute(organizationStream(id), command, commandLineContext());
    for (const id of [owned, joined]) await execute(id, { type: 'FoundOrganization', data: { name: 'Acme' } });
    await execute(owned, { type: 'AddMember', data: { member: ada.id, role: 'owner' } });
    await execute(joined, { type: 'AddMember', data: { member: randomUUID(), role: 'owner' } });
    await execute(joined, { type: 'AddMember', data: { member: ada.id, role: 'admin' } });
    return { ada, owned, joined };
  });

/** Makes a backup of log and tables. Resolves with the folder of the backup. */
async function backUp(): Promise<string> {
  const copy = join(charter.data, 'copy');
  expect((await charter.run(['backup', copy])).code).toBe(0);
  return copy;
}

const replay = async (data: string, ...more: readonly string[]) => {
  const { code, stdout } = await charter.run(['accounts', 'erase', '--replay', folder, ...more, '--json'], {
    CHARTER_DATA: data,
  });
  return { code, answer: JSON.parse(stdout) as { ok: boolean; certificates: Record<string, unknown>[] } };
};

describe('U8: charter accounts erase --replay', () => {
  it('repeats an erasure that the restored log does not contain, and reports the organizations in which the person stays', async () => {
    const { ada, owned, joined } = await personWithOrganizations(charter.data);
    const copy = await backUp();
    const other = randomUUID();
    await inside(charter.data, ({ organizations }) =>
      organizations.execute(
        organizationStream(owned),
        { type: 'AddMember', data: { member: other, role: 'owner' } },
        commandLineContext(),
      ),
    );
    const file = join(charter.data, 'certificate.txt');
    const erased = await charter.json('accounts', 'erase', ada.id, '--yes', '--certificate', file);
    expect([erased.code, erased.answer.state]).toEqual([0, 'erased']);
    expect(readFileSync(file, 'utf8')).toBe(erased.answer.certificate);
    expect(readFileSync(join(folder, `${ada.id}.erasure`), 'utf8')).toBe(erased.answer.certificate);

    const first = await replay(copy);
    expect([first.code, first.answer.certificates]).toEqual([
      0,
      [
        {
          file: join(folder, `${ada.id}.erasure`),
          account: ada.id,
          outcome: 'erased',
          stays: [{ id: owned, name: 'Acme' }],
        },
      ],
    ]);
    await inside(copy, async ({ database, organizations }) => {
      expect(await database.people.accounts.byId(ada.id)).toMatchObject({ state: 'erased', name: null, email: null });
      const membersOf = (id: string) =>
        organizations.query(organizationStream(id), ({ state }) => Object.keys(state.members));
      expect(await membersOf(joined)).not.toContain(ada.id);
      expect(await membersOf(owned)).toContain(ada.id);
    });
    const second = await replay(copy);
    expect([second.code, second.answer.certificates[0]!['outcome']]).toEqual([0, 'erased before']);
    expect((await charter.run(['verify', '--all'], { CHARTER_DATA: copy })).code).toBe(0);
  });

  it('refuses certificates that are forged, damaged or signed by another installation, names their files, and applies all others', async () => {
    const { ada } = await personWithOrganizations(charter.data);
    const [bob, eve] = await inside(charter.data, async ({ database }) => {
      const people = [testAccount(), testAccount()];
      for (const one of people) await database.people.accounts.insert(one);
      return people;
    });
    const copy = await backUp();
    await charter.run(['accounts', 'erase', bob!.id, '--yes']);
    const good = readFileSync(join(folder, `${bob!.id}.erasure`), 'utf8');
    writeFileSync(join(folder, 'forged.erasure'), good.replace(bob!.id, eve!.id));
    writeFileSync(join(folder, 'cut.erasure'), good.slice(0, -20));
    const elsewhere = new CommandLine();
    await inside(elsewhere.data, async (there) => {
      await there.database.people.accounts.insert(testAccount({ id: ada.id }));
      await there.accounts.erase(ada.id, commandLineContext(), commandLineCommands(there));
    });
    mkdirSync(join(folder, '0.erasure'));
    execFileSync('mkfifo', [join(folder, '1.erasure')]);
    symlinkSync(join(folder, 'nowhere'), join(folder, '2.erasure'));
    writeFileSync(join(folder, '3.erasure'), 'x'.repeat(100_000));
    symlinkSync(join(folder, '4.erasure'), join(folder, '4.erasure'));
    mkdirSync(join(folder, '5\u001b[2J.erasure'));
    copyFileSync(join(elsewhere.data, 'erasures', `${ada.id}.erasure`), join(folder, 'foreign.erasure'));

    const { code, answer } = await replay(copy);
    expect([code, answer.ok]).toEqual([1, false]);
    expect(answer.certificates.map(({ file, outcome, refused }) => [file, outcome, typeof refused])).toEqual(
      [
        [join(folder, `${bob!.id}.erasure`), 'erased', 'undefined'],
        ...['0', '1', '2', '3', '4', '5\u001b[2J'].map((name) => [
          join(folder, `${name}.erasure`),
          undefined,
          'string',
        ]),
        [join(folder, 'cut.erasure'), undefined, 'string'],
        [join(folder, 'foreign.erasure'), undefined, 'string'],
        [join(folder, 'forged.erasure'), undefined, 'string'],
      ].toSorted((one, next) => (String(one[0]) < String(next[0]) ? -1 : 1)),
    );
    await inside(copy, async ({ database }) => {
      expect((await database.people.accounts.byId(eve!.id))!.state).toBe('active');
      expect((await database.people.accounts.byId(ada.id))!.state).toBe('active');
    });
    const key = await inside(elsewhere.data, ({ signer }) => Promise.resolve(signer.verifierKey));
    const store = await inside(elsewhere.data, ({ log }) => log.identity());
    const foreign = await inside(copy, (here) => replayCertificates(here, folder, { key }));
    expect(foreign.text).toContain('4.erasure: refused. The file cannot be read (ELOOP).');
    expect(foreign.text).toContain('5\ufffd[2J.erasure: refused.');
    expect(foreign.text).toContain(`refused. The certificate belongs to the event store ${store}; this is `);
    const trusted = await replay(copy, '--key', key, '--store', store);
    expect(trusted.answer.certificates.find(({ account }) => account === ada.id)?.['outcome']).toBe('erased');
    elsewhere.remove();
  }, 60_000);

  it('accepts a certificate with any file name; refuses and names each file that contains no certificate', async () => {
    const bob = testAccount();
    await inside(charter.data, ({ database }) => database.people.accounts.insert(bob));
    const copy = await backUp();
    await charter.run(['accounts', 'erase', bob.id, '--yes']);
    const [renamed, notes] = [join(folder, 'bob.txt'), join(folder, 'notes.md')];
    renameSync(join(folder, `${bob.id}.erasure`), renamed);
    writeFileSync(notes, 'Call the notary.');
    const { code, answer } = await replay(copy);
    expect([code, answer]).toEqual([
      1,
      {
        ok: false,
        remains: null,
        certificates: [
          { file: renamed, account: bob.id, outcome: 'erased' },
          { file: notes, refused: expect.any(String) as string },
        ],
      },
    ]);
  });

  it('ignores the unfinished file of a crashed process if the folder contains the certificate', async () => {
    const ada = testAccount();
    await inside(charter.data, ({ database }) => database.people.accounts.insert(ada));
    const copy = await backUp();
    expect((await charter.run(['accounts', 'erase', ada.id, '--yes'])).code).toBe(0);
    const file = join(folder, `${ada.id}.erasure`);
    writeFileSync(`${file}.${randomUUID()}`, readFileSync(file, 'utf8').slice(0, 40));
    const alone = join(folder, `${randomUUID()}.erasure.${randomUUID()}`);
    writeFileSync(alone, '');
    const replayed = () => inside(copy, (here) => replayCertificates(here, folder, {}));
    const refused = { file: alone, refused: expect.any(String) };
    expect(await replayed()).toMatchObject({ ok: false, json: { certificates: expect.arrayContaining([refused]) } });
    rmSync(alone);
    const repeated = { file, account: ada.id, outcome: 'erased before' };
    expect(await replayed()).toMatchObject({ ok: true, json: { certificates: [repeated] } });
  });

  it('refuses a folder without certificates', async () => {
    await charter.found('Acme');
    mkdirSync(folder);
    const { code, answer } = await charter.json('accounts', 'erase', '--replay', folder);
    expect([code, answer.type]).toEqual([1, '/problems/no-certificates']);
    expect(answer.detail).toContain(folder);
  });

  it('refuses a folder if the stores contain none of the accounts in its certificates; otherwise accepts the folder and names each unknown account', async () => {
    const [ada, bob] = [testAccount(), testAccount()];
    await inside(charter.data, ({ database }) => database.people.accounts.insert(bob));
    const copy = await backUp();
    await inside(charter.data, ({ database }) => database.people.accounts.insert(ada));
    expect((await charter.run(['accounts', 'erase', ada.id, '--yes'])).code).toBe(0);

    const unknown = { file: join(folder, `${ada.id}.erasure`), account: ada.id, outcome: 'unknown here' };
    const refused = await replay(copy);
    expect([refused.code, refused.answer]).toEqual([1, { ok: false, remains: null, certificates: [unknown] }]);
    const { code, stdout } = await charter.run(['accounts', 'erase', '--replay', folder], { CHARTER_DATA: copy });
    expect([code, stdout]).toEqual([
      1,
      `${ada.id}: unknown here\n1 certificate, 0 refused, 1 unknown here.\n` +
        'Nothing was repeated, because these stores contain none of the accounts. Check which stores the settings name. ' +
        'If the backup is older than the accounts, there is nothing to erase.\n',
    ]);

    expect((await charter.run(['accounts', 'erase', bob.id, '--yes'])).code).toBe(0);
    const accepted = await replay(copy);
    expect([accepted.code, accepted.answer.ok]).toEqual([0, true]);
    expect(accepted.answer.certificates).toContainEqual(unknown);
    const named = await charter.run(['accounts', 'erase', '--replay', folder], { CHARTER_DATA: copy });
    expect([named.code, named.stdout.trimEnd().split('\n').toSorted()]).toEqual([
      0,
      [`${ada.id}: unknown here`, `${bob.id}: erased before`, '2 certificates, 0 refused, 1 unknown here.'].toSorted(),
    ]);
  });

  it('needs no copies of the certificates, because `charter accounts certificates` writes them again with the same content', async () => {
    const [ada, bob] = await inside(charter.data, async (here) => {
      const people = [testAccount(), testAccount()];
      for (const one of people) await here.database.people.accounts.insert(one);
      for (const one of people) await here.accounts.erase(one.id, commandLineContext(), commandLineCommands(here));
      return people;
    });
    const out = join(charter.data, 'certificates');
    mkdirSync(out);
    copyFileSync(join(folder, `${ada!.id}.erasure`), join(out, `${ada!.id}.erasure`));
    const written = () => charter.json('accounts', 'certificates', '--out', out);
    const { code, answer } = await written();
    expect([code, answer]).toEqual([0, { folder: out, certificates: 2, written: 1, differing: [] }]);
    expect(readdirSync(out).toSorted()).toEqual([ada!, bob!].map(({ id }) => `${id}.erasure`).toSorted());
    for (const name of readdirSync(out))
      expect(readFileSync(join(out, name), 'utf8')).toBe(readFileSync(join(folder, name), 'utf8'));
    const other = join(out, `${bob!.id}.erasure`);
    writeFileSync(other, 'something else');
    const differing = { certificates: 2, written: 0, differing: [other] };
    expect(await written()).toMatchObject({ code: 1, answer: { ...differing } });
    expect(readFileSync(other, 'utf8')).toBe('something else');
  });

  it.each([
    ['an account and a folder', ['erase', 'ada@example.com', '--replay', 'x']],
    ['no account', ['erase', '--yes']],
  ])('prints an error and a hint for %s', async (_what, args) => {
    const { code, stderr } = await charter.run(['accounts', ...args]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^error: .+\nAdd --help .+\n$/) });
  });
});
