import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tampered } from '../../support/stores/tampering';
import { CommandLine } from '../command-line';

let charter: CommandLine;
let acme: string;
let borg: string;
beforeEach(async () => {
  charter = new CommandLine();
  acme = await charter.found('Acme', 'solo', 'teams');
  borg = await charter.found('Borg');
});
afterEach(() => charter.remove());

const tamper = (sql: string, ...values: (string | number)[]) => tampered(charter.events, sql, ...values);
const ofAcme = `stream = (SELECT id FROM streams WHERE name = 'organization-' || ?)`;

it('`verify` checks the hash chain of one organization or all hash chains', async () => {
  const one = await charter.json('verify', acme);
  const head = expect.stringMatching(/^[0-9a-f]{64}$/);
  const nothingMade = { trusted: false, signed: null, readModel: null };
  expect(one).toEqual({ code: 0, answer: { ok: true, events: 3, head, ...nothingMade } });
  const all = await charter.json('verify', '--all');
  expect(all).toEqual({
    code: 0,
    answer: { ok: true, events: 4, head, organizations: 2, trails: 0, ...nothingMade },
  });
  await charter.found('Last');
  expect((await charter.json('verify', '--all')).answer.head).not.toBe(all.answer.head);
  const { stdout } = await charter.run(['verify', '--all']);
  expect(stdout).toMatch(/^Verified: 5 events of 3 organizations, head /);
  expect(stdout).toMatch(/^The log has no signature yet: .* to sign now: charter checkpoint sign$/m);
});

describe.each([
  ['one organization', () => [acme]],
  ['all organizations', () => ['--all']],
])('verify of %s finds', (_which, which) => {
  const broken = async (at: number | null, reason: RegExp) => {
    const { code, answer } = await charter.json('verify', ...which());
    expect({ code, answer }).toMatchObject({
      code: 1,
      answer: { ok: false, at, reason: expect.stringMatching(reason), broken: [{ organization: acme, at }] },
    });
    const { stdout } = await charter.run(['verify', ...which()]);
    expect(stdout).toMatch(/^Not verified\.\n/);
  };

  it('O12: one changed character', async () => {
    tamper(
      `UPDATE events SET data = CAST(replace(CAST(data AS TEXT), 'teams', 'beams') AS BLOB) WHERE revision = 2 AND ${ofAcme}`,
      acme,
    );
    await broken(2, /hash does not match its content/);
  });

  it('a removed event', async () => {
    tamper(`DELETE FROM events WHERE revision = 1 AND ${ofAcme}`, acme);
    await broken(2, /revision 1 is missing/);
  });

  it('events that are missing at the end of a stream, if the read model has processed them', async () => {
    await charter.rebuild();
    await charter.found('Last');
    tamper(`DELETE FROM events WHERE revision = 2 AND ${ofAcme}`, acme);
    tamper(`UPDATE streams SET revision = 1 WHERE name = 'organization-' || ?`, acme);
    await broken(2, /its end is missing: 3 events of this stream were seen/);
  });

  it('an event that is not JSON', async () => {
    tamper(`UPDATE events SET data = CAST('{' AS BLOB) WHERE revision = 1 AND ${ofAcme}`, acme);
    const { code, answer } = await charter.json('verify', ...which());
    expect({ code, answer }).toMatchObject({ code: 1, answer: { ok: false, at: 1 } });
    expect(answer.reason).toContain('is not JSON');
  });
});

describe('charter verify', () => {
  beforeEach(() => charter.rebuild());

  it('compares the read model with a replay', async () => {
    expect((await charter.json('verify', acme)).answer.readModel).toEqual({ ok: true, revision: 2 });
    const { readModel } = (await charter.json('verify', '--all')).answer;
    expect(readModel).toMatchObject({ ok: true, documents: 2, hash: readModel.replayHash });
    expect((await charter.run(['verify', acme])).stdout).toMatch(/^The read model equals a replay\.$/m);
  });

  it('fails if the read model differs from a replay, and names this difference as the reason', async () => {
    const change = `UPDATE documents SET state = replace(state, '"Acme"', '"Evil"') WHERE stream = 'organization-' || ?`;
    tampered(charter.documents, change, acme);
    const reason = expect.stringMatching(/read model.*not what a replay/);
    for (const which of [acme, '--all'])
      expect(await charter.json('verify', which)).toMatchObject({
        code: 1,
        answer: { ok: false, at: null, reason, broken: [{ organization: acme, at: null, reason }] },
      });
    expect((await charter.json('verify', borg)).code).toBe(0);
  });
});

describe('charter verify --all', () => {
  it('reports every broken chain, not only the first broken chain', async () => {
    tamper(`UPDATE events SET type = 'OrganizationRenamed' WHERE revision = 0`);
    const { answer } = await charter.json('verify', '--all');
    expect(answer.broken.map(({ organization }: { organization: string }) => organization).sort()).toEqual(
      [acme, borg].sort(),
    );
  });

  it('also checks the database file of the event store', async () => {
    const database = new DatabaseSync(charter.events);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const index = database
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_streams_1'")
      .get();
    const { page_size: size } = database.prepare('PRAGMA page_size').get()!;
    database.close();
    const bytes = readFileSync(charter.events);
    // Damages the index with the names of streams: sets its number of entries to 0.
    bytes.writeUInt16BE(0, (Number(index!['rootpage']) - 1) * Number(size) + 3);
    writeFileSync(charter.events, bytes);

    const { code, answer } = await charter.json('verify', '--all');
    expect({ code, answer }).toMatchObject({ code: 1, answer: { ok: false, at: null } });
    expect(answer.broken[0]).toEqual({
      file: charter.events,
      at: null,
      reason: expect.stringMatching(/^[^*\n]* page \d+$/),
    });
  });
});
