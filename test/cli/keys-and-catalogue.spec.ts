import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@charter/database';
import { verifyKey, parseKey } from '@charter/identity';
import { CommandLine } from './command-line';

let charter: CommandLine;
beforeEach(() => {
  charter = new CommandLine();
});
afterEach(() => charter.remove());

describe('API keys', () => {
  const stored = async () => {
    const database = await openDatabase({ file: charter.documents });
    const keys = await database.keys.list();
    await database.close();
    return keys;
  };

  it('are printed once and stored only as hashes', async () => {
    const options = ['--name', 'ci', '--scopes', 'organizations:read,audit:read', '--expires', '1d'];
    const { code, answer } = await charter.json('keys', 'create', ...options);
    expect({ code, names: Object.keys(answer) }).toEqual({ code: 0, names: ['id', 'key'] });
    const [record] = await stored();
    const { prefix, secret } = parseKey(answer.key)!;
    expect(record).toMatchObject({ id: answer.id, prefix, name: 'ci', scopes: ['organizations:read', 'audit:read'] });
    expect(verifyKey(record, secret, Date.now())).toBe('active');
    expect(verifyKey(record, secret, Date.now() + 86_400_000)).toBe('expired');

    const files = ['documents.db', 'documents.db-wal'].map((name) => join(charter.data, name));
    for (const file of files) expect(textOf(file)).not.toContain(secret);
    const listed = await charter.json('keys', 'list');
    expect(listed.answer).toMatchObject([{ id: answer.id, prefix, name: 'ci', state: 'active' }]);
    expect(JSON.stringify(listed.answer)).not.toContain(record!.hash);
  });

  it('can be limited to one organization', async () => {
    const id = await charter.found('Acme');
    await charter.json('keys', 'create', '--name', 'acme', '--scopes', 'flags:read', '--organization', id);
    expect(await stored()).toMatchObject([{ organization: id }]);
  });

  it.each(['id', 'prefix', 'key'] as const)(
    'can be revoked by their %s; revoking them again is not an error',
    async (by) => {
      const { answer } = await charter.json('keys', 'create', '--name', 'ci', '--scopes', 'flags:read');
      const known = { ...answer, prefix: parseKey(answer.key)!.prefix };
      const first = await charter.json('keys', 'revoke', known[by]);
      expect(first).toMatchObject({ code: 0, answer: { id: answer.id, revoked: expect.any(String) } });
      expect(await charter.json('keys', 'revoke', known[by])).toEqual(first);
      const [record] = await stored();
      expect(verifyKey(record, parseKey(answer.key)!.secret, Date.now())).toBe('revoked');
    },
  );

  it('that do not exist cannot be revoked', async () => {
    await charter.found('Acme');
    expect(await charter.json('keys', 'revoke', 'chk_000000000000')).toMatchObject({
      code: 1,
      answer: { type: '/problems/no-such-key', detail: expect.stringContaining('Run charter keys list') },
    });
  });
});

describe('Catalogue', () => {
  const builtIn = join(__dirname, '../../libs/catalogue/catalogue.json');
  it('is validated without any store', async () => {
    expect(await charter.json('catalogue', 'check')).toMatchObject({ code: 0, answer: { ok: true, plans: 7 } });
    // the check has created no store
    expect(await charter.run(['organization', 'list'])).toMatchObject({ code: 1 });
  });

  it('is listed without any store, with the price ids of the payment provider', async () => {
    const environment = { PLAN_PROVIDER_IDS: 'price_essential' };
    const { code, stdout } = await charter.run(['catalogue', 'list', '--json'], environment);
    const { plans, addOns, serviceLevels, hash } = JSON.parse(stdout);
    expect([code, plans.length, addOns.length, serviceLevels.length, hash.length]).toEqual([0, 7, 5, 2, 64]);
    expect(plans[0]).toMatchObject({ plan: 'essential', soldOnline: true, providerId: 'price_essential' });
    const printed = await charter.run(['catalogue', 'list'], environment);
    expect(printed.stdout).toMatch(/^second\/solo +1, at most 2 +1, at most 1 +by add-on +unlimited +100000/m);
    expect(printed.stdout).toMatch(/^additionalUser +- +\+1 users$/m);
    expect(await charter.run(['catalogue', 'list'], { CATALOGUE_FILE: 'nowhere.json' })).toMatchObject({ code: 1 });
  });

  it('is refused if it has an error; the output contains the problem with its line number', async () => {
    const lines = readFileSync(builtIn, 'utf8').split('\n');
    const line = lines.findIndex((text) => /"users": \d/.test(text));
    lines[line] = lines[line]!.replace(/"users": \d+/, '"users": -1');
    const file = join(charter.data, 'wrong.json');
    writeFileSync(file, lines.join('\n'));

    const { code, answer } = await charter.json('catalogue', 'check', file);
    const wrong = { path: expect.stringMatching(/^plans\..*limits\.users$/), line: line + 1 };
    expect({ code, answer }).toMatchObject({ code: 1, answer: { ok: false, file, problems: [wrong] } });
    const printed = await charter.run(['catalogue', 'check'], { CATALOGUE_FILE: file });
    expect(printed).toMatchObject({ code: 1, stderr: '' });
    expect(printed.stdout).toMatch(new RegExp(`^ +${line + 1} +\\d+ +plans\\.`, 'm'));
  });

  it('is refused if its file does not exist', async () => {
    const { code, answer } = await charter.json('catalogue', 'check', 'nowhere.json');
    expect({ code, answer }).toMatchObject({ code: 1, answer: { ok: false, problems: [{ line: 1 }] } });
  });
});

const textOf = (file: string) => {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
};
