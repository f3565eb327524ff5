import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredEvent } from '@charter/event-log';
import { exportStream, exportLog, signerOf } from '@charter/integrity';
import { organizationStream } from '@charter/organization';
import { verifyFile } from '../../../apps/cli/src/history/verify-file';
import { verifyChainOf } from '@charter/application';
import { checksumBuilder } from '../../../libs/integrity/src/log-export/log-checksum';
import { CommandLine } from '../../cli/command-line';
import { tampered } from '../../support/stores/tampering';

let here: CommandLine;
let elsewhere: CommandLine;
let id: string;
let key: string;
beforeAll(async () => {
  [here, elsewhere] = [new CommandLine(), new CommandLine()];
  id = await here.found('Acme', 'solo', 'teams');
  await here.found('Borg', 'teams');
  key = (await here.json('checkpoint', 'key')).answer.key as string;
});
afterAll(() => [here, elsewhere].forEach((line) => line.remove()));

const fileFor = (line: CommandLine, name: string) => join(line.data, name);

/**
 * The settings on an auditor's computer, which has the exported file but no stores. They are invalid, so that a test
 * fails if `verify FILE` uses them.
 */
const atTheAuditors = { PORT: 'no port', EVENT_LOG: 'nowhere', CHARTER_DATA: '/nowhere' };
const verifiedThere = async (...words: readonly string[]) => {
  const { code, stdout, stderr } = await elsewhere.run(['verify', ...words, '--json'], atTheAuditors);
  expect(stderr).toBe('');
  return { code, answer: JSON.parse(stdout) as Record<string, unknown> };
};

/** Replaces the terminal, so that tests can run commands in this process, which is faster. */
const terminal = {
  signal: new AbortController().signal,
  progress: () => () => undefined,
  gauge: () => () => undefined,
};
const verified = async (file: string, by?: string) => (await verifyFile(file, by, terminal)).json;

const linesFrom = (line: CommandLine, of?: string) =>
  line.inside(async ({ log, signer }) => {
    const at = new Date().toISOString();
    const lines: string[] = [];
    for await (const text of of ? exportStream(log, organizationStream(of), signer, at) : exportLog(log, signer, at))
      lines.push(text);
    return lines;
  });

describe('charter export ID', () => {
  it('writes a file that can be verified in another folder, without a store and settings', async () => {
    const file = fileFor(here, 'acme.ndjson');
    const { answer: written } = await here.json('export', id, '--out', file);
    const { answer: stored } = await here.json('verify', id);
    expect(written).toEqual({ ok: true, events: 3, streams: 1, head: stored.head as string });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { events, head } = written as { events: number; head: string };
    expect(await verifiedThere(file, '--key', key)).toMatchObject({ code: 0, answer: { events, head, trusted: true } });
    const { stdout } = await elsewhere.run(['verify', file], atTheAuditors);
    expect(stdout).toMatch(/^Verified: 3 events of 1 stream, head .*\nSigned at .*\n.* with --key\./);
    expect(await here.json('export', id, '--out', file)).toMatchObject({ code: 1, answer: { status: 409 } });
  }, 30_000);

  it('writes the file to standard output, and its messages to standard error', async () => {
    const { code, stdout, stderr } = await here.run(['export', id, '--json']);
    const file = fileFor(elsewhere, 'piped.ndjson');
    writeFileSync(file, stdout);
    expect([code, JSON.parse(stderr)]).toMatchObject([0, { ok: true, events: 3 }]);
    expect(await verified(file, key)).toMatchObject({ ok: true, events: 3, trusted: true });
  }, 30_000);

  it('is refused for an unknown organization, and with both an id and `--all`', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    const refused = await here.json('export', unknown, '--out', fileFor(here, 'unknown.ndjson'));
    expect(refused).toMatchObject({ code: 1, answer: { type: '/problems/no-such-organization' } });
    expect((await here.run(['export', id, '--all'])).code).toBe(2);
  }, 30_000);

  it('writes a file that an empty store can import; a new export from this store has the same events and head', async () => {
    const file = fileFor(here, 'whole.ndjson');
    const { answer: written } = await here.json('export', id, '--out', file);
    const there = new CommandLine();
    expect((await there.json('import', file)).answer).toEqual(written);
    expect((await there.json('import', file)).answer).toEqual(written); // a second import changes nothing
    expect(await there.inside((charter) => verifyChainOf(charter, id))).toMatchObject({
      ok: true,
      head: written.head as string,
    });
    const [ours, theirs] = [await linesFrom(here, id), await linesFrom(there, id)];
    const dataIn = (lines: readonly string[]) =>
      lines.slice(0, -1).map((line) => (JSON.parse(line) as { data: object }).data);
    expect(dataIn(theirs)).toEqual(dataIn(ours));
    const refused = await here.json('import', file);
    expect(refused).toMatchObject({ code: 1, answer: { type: '/problems/not-carried' } });
    there.remove();
  }, 60_000);

  it('is refused for a broken hash chain, and leaves no file', async () => {
    const broken = new CommandLine();
    const theirs = await broken.found('Acme', 'solo');
    tampered(broken.events, "UPDATE events SET type = 'PlanEnded' WHERE revision = 1");
    const file = fileFor(broken, 'broken.ndjson');
    expect(await broken.json('export', theirs, '--out', file)).toMatchObject({
      code: 1,
      answer: { type: '/problems/broken-chain', at: 1, reason: 'its hash does not match its content' },
    });
    expect(readdirSync(broken.data).filter((name) => name.startsWith('broken.ndjson'))).toEqual([]);
    broken.remove();
  }, 30_000);
});

describe('charter verify FILE', () => {
  let lines: string[];
  beforeAll(async () => void (lines = await linesFrom(here, id)));
  const written = (text: readonly string[]) => {
    const file = fileFor(elsewhere, 'file.ndjson');
    writeFileSync(file, text.map((line) => `${line}\n`).join(''));
    return file;
  };

  it('names the line, the revision and the reason of the damage', async () => {
    const other = written(lines.with(1, lines[1]!.replace('solo', 'sola')));
    const flaw = { at: 1, line: 2, stream: organizationStream(id), reason: 'its hash does not match its content' };
    expect(await verifiedThere(other)).toEqual({ code: 1, answer: { ok: false, trusted: false, ...flaw } });
    const { text } = await verifyFile(other, undefined, terminal);
    expect(text).toMatch(/^Not verified: .*file.ndjson, line 2, revision 1 of organization-.*: its hash does not/);
  }, 30_000);

  it('accepts, with `--key`, only signatures of this key, whichever key the file names', async () => {
    const stranger = signerOf('charter', Buffer.alloc(32, 3)).verifierKey;
    const file = written(lines);
    expect(await verified(file)).toMatchObject({ ok: true, trusted: false });
    expect(await verified(file, key)).toMatchObject({ ok: true, trusted: true });
    const reason = expect.stringContaining(`signed with another key, ${key}`) as string;
    expect(await verified(file, stranger)).toMatchObject({ ok: false, trusted: false, at: null, reason });
    const misused = await elsewhere.run(['verify', file, '--key', 'charter+00000000+AAAA']);
    expect(misused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('not a verifier key') });
  }, 30_000);

  it('fails if the file does not exist or is empty', async () => {
    await expect(verified('no-such-file')).rejects.toThrow(/There is no file/);
    expect(await verified(written([]))).toMatchObject({ ok: false, reason: 'The file is empty.' });
  });

  it('accepts a signed file of the whole log, and, without `--key`, an unsigned file of an earlier version', async () => {
    const all = await linesFrom(here);
    const whole = { ok: true, events: 5, streams: 2 };
    expect(await verified(written(all), key)).toMatchObject({
      ...whole,
      trusted: true,
      signed: { covers: 'all streams' },
    });
    const earlier = written(all.with(-1, all.at(-1)!.replace(/,"checkpoint":.*/, '}')));
    expect(await verified(earlier)).toMatchObject({ ...whole, trusted: false, signed: null });
    expect(await verified(earlier, key)).toMatchObject({ ok: false, reason: 'it was never signed' });
    const evil = written(all.map((line) => line.replace('Borg', 'Evil')));
    expect(await verified(evil)).toMatchObject({ line: 5, at: 0, reason: 'its hash does not match its content' });
  });

  it('says that the signature of a whole log does not cover the order of events of different streams', async () => {
    const [first, ...rest] = await linesFrom(here);
    const [one, two, three, four, five] = rest.slice(0, -1);
    const events = [one!, two!, four!, three!, five!];
    const checksum = checksumBuilder();
    for (const line of events) {
      const event = JSON.parse(line) as Omit<StoredEvent, 'revision'> & { revision: string };
      checksum.add({ ...event, revision: BigInt(event.revision) });
    }
    const end = JSON.stringify({ ...(JSON.parse(rest.at(-1)!) as object), end: checksum.sum() });
    const { text, json } = await verifyFile(written([first!, ...events, end]), key, terminal);
    expect(json).toMatchObject({ ok: true, trusted: true, head: checksum.sum().hash });
    expect(text).toMatch(/\nThe signature covers neither the order of events of different streams nor the checksum\.$/);
    expect((await verifyFile(written(lines), key, terminal)).text).toMatch(/: the key that you gave\.$/);
  });
});

describe('charter checkpoint', () => {
  it('signs and prints a checkpoint; verify then confirms that the log still matches it', async () => {
    expect(await here.json('checkpoint', 'show')).toMatchObject({
      code: 1,
      answer: { type: '/problems/never-signed' },
    });
    const { answer: made } = await here.json('checkpoint', 'sign');
    expect(made).toMatchObject({ events: 5, covers: 'all streams' });
    expect((await here.json('checkpoint', 'show')).answer).toEqual({ note: made.note as string });
    const all = await here.json('verify', '--all', '--key', key);
    expect(all.answer).toMatchObject({ ok: true, trusted: true, signed: { at: made.at as string, events: 5 } });
    const stranger = signerOf('charter', Buffer.alloc(32, 3)).verifierKey;
    const one = await here.json('verify', id, '--key', stranger);
    expect(one).toMatchObject({
      code: 1,
      answer: { ok: false, reason: expect.stringContaining('another key') as string },
    });
  }, 60_000);
});
