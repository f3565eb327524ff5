/** @jest-environment node */
import { randomUUID } from 'node:crypto';
import { MemoryLog } from '@charter/event-log';
import {
  exportLog,
  exportStream,
  ImportRefused,
  readExportSummary,
  readLines,
  rootOf,
  sealEvents,
  signerOf,
  ZERO_HASH,
} from '@charter/integrity';
import { canonicalJson } from '../../../../libs/integrity/src/canonical';
import { hashOf } from '../../../../libs/integrity/src/chain';
import { setupI18n } from '@lingui/core';
import { messages } from '../../../locales/proof/en.po';
import { browserEd25519 } from './ed25519';
import { checkFile } from './export-check';
import { flawCodes, type FileFlaw } from './flaws';

const at = '2026-11-21T12:00:00.000Z';
const stream = 'organization-a';
const signer = signerOf('charter', Buffer.alloc(32, 1));
const stranger = signerOf('charter', Buffer.alloc(32, 2));
const i18n = setupI18n({ locale: 'en', messages: { en: messages } });

async function logOf(...streams: readonly string[]) {
  const log = new MemoryLog();
  for (const name of streams) {
    const context = { actor: { kind: 'system', id: 's', powers: [] }, at, correlation: 'c', causation: 'c' } as const;
    const decided = [1, 2, 3, 4, 5].map((number) => ({ type: 'Noted', data: { number, text: 'ü' } }));
    const end = { revision: -1, hash: ZERO_HASH, at };
    await log.append(name, sealEvents(decided, name, end, { ...context, command: randomUUID() }), {
      expected: 'no_stream',
    });
  }
  return log;
}

async function exported(log: MemoryLog, name = stream, key = signer): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportStream(log, name, key, at)) lines.push(line);
  return lines;
}

const bytesOf = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''));

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const checked = (bytes: Uint8Array, size = 7, more = {}) =>
  checkFile(inPieces(bytes, size), { verifies: browserEd25519, ...more });

/** The result of the check that the command line makes. */
async function judged(bytes: Buffer): Promise<object> {
  try {
    const { events, head } = await readExportSummary(readLines(inPieces(bytes, 1_000)));
    return { ok: true, events, head };
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error;
    const { line, at: revision, reason } = error.flaw;
    return { ok: false, line, revision, reason };
  }
}

const worded = ({ code, line, revision, values }: FileFlaw) => ({
  ok: false,
  line,
  revision,
  reason: i18n._(`flaw.${code}`, values),
});

type Line = { data: Record<string, unknown> } & Record<string, unknown>;
const changed = (line: string, change: (line: Line) => void): string => {
  const value = JSON.parse(line) as Line;
  change(value);
  return canonicalJson(value);
};

/** Changes an event and computes its hash again, as an attacker who has the public code can do. */
function rewritten(data: Record<string, unknown>): void {
  data['data'] = { number: 9 };
  const metadata = data['metadata'] as { hash?: string };
  delete metadata.hash;
  metadata.hash = hashOf(data as Parameters<typeof hashOf>[0]);
}

let log: MemoryLog;
let lines: string[];
beforeAll(async () => {
  log = await logOf(stream, 'organization-b');
  lines = await exported(log);
});

const edited = (index: number, change: (line: Line) => void) => lines.with(index, changed(lines[index]!, change));
const noteOf = (line: string) => (JSON.parse(line) as Line).data['checkpoint'] as string;

const withNote = (change: (note: string) => string) =>
  edited(5, ({ data }) => (data['checkpoint'] = change(noteOf(lines[5]!))));

/** Kinds of files that an attacker or a damaged disk may produce, each with the line of its first flaw. */
const falsified: readonly [
  string,
  () => Promise<readonly string[] | Buffer> | readonly string[] | Buffer,
  number | undefined,
][] = [
  ['an empty file', () => Buffer.of(), undefined],
  ['a changed value', () => edited(2, ({ data }) => (data['data'] = { number: 9 })), 3],
  ['a changed hash', () => edited(4, ({ data }) => ((data['metadata'] as Line)['hash'] = 'f'.repeat(64))), 5],
  ['an event that was taken out', () => lines.toSpliced(2, 1), 3],
  ['the first event taken out', () => lines.slice(1), 1],
  ['an event twice', () => lines.toSpliced(3, 0, lines[1]!), 4],
  ['two events that changed places', () => lines.with(2, lines[3]!).with(3, lines[2]!), 3],
  [
    'an event that was made up',
    () =>
      lines.toSpliced(
        5,
        0,
        changed(lines[4]!, ({ data }) => (data['revision'] = 5)),
      ),
    6,
  ],
  ['an event of another organization', async () => lines.with(2, (await exported(log, 'organization-b'))[2]!), 3],
  ['a cut tail', () => lines.slice(0, 3), 4],
  ['a last line without a line break', () => Buffer.from(lines.join('\n')), 6],
  ['half an event', () => bytesOf(lines).subarray(0, bytesOf(lines).length - 900), 5],
  ['a missing event before the checkpoint', () => lines.toSpliced(4, 1), 5],
  ['an event after the checkpoint', () => [...lines, lines[0]!], 7],
  ['the checkpoint of another organization', async () => lines.with(5, (await exported(log, 'organization-b'))[5]!), 6],
  ['the checkpoint of another store', async () => lines.with(5, (await exported(await logOf(stream)))[5]!), 6],
  ['events of another store', async () => lines.with(2, (await exported(await logOf(stream)))[2]!), 3],
  ['a last event that was written again', () => edited(4, ({ data }) => rewritten(data)), 6],
  ['a first event that was written again', () => edited(0, ({ data }) => rewritten(data)), 2],
  [
    'a checkpoint that another key signed under the same name',
    async () => {
      const { key } = (JSON.parse(lines[5]!) as Line).data;
      const theirs = (await exported(log, stream, stranger))[5]!;
      return lines.with(
        5,
        changed(theirs, ({ data }) => (data['key'] = key)),
      );
    },
    6,
  ],
  [
    'a checkpoint that claims 10 million events',
    () => edited(5, ({ data }) => (data['checkpoint'] = noteOf(lines[5]!).replace('\n5\n', '\n10000000\n'))),
    6,
  ],
  ['an event that claims to be number 10 million', () => edited(3, ({ data }) => (data['revision'] = 9_999_999)), 4],
  ['a wrong signature', () => withNote((note) => note.replace(/(?<=^— .{20}).{4}/m, 'AAAA')), 6],
  ['a signature in another spelling', () => withNote((note) => note.replace(/.{4}=\n$/, 'AAA=\n')), 6],
  ['101 signatures', () => withNote((note) => note + note.slice(note.indexOf('— ')).repeat(100)), 6],
  [
    'a note without a signature',
    () => edited(5, ({ data }) => (data['checkpoint'] = noteOf(lines[5]!).split('— ')[0])),
    6,
  ],
  [
    'a damaged key',
    () => edited(5, ({ data }) => (data['key'] = String(data['key']).replace('charter+', 'charter+0'))),
    6,
  ],
  [
    'a key with another name',
    () => edited(5, ({ data }) => (data['key'] = String(data['key']).replace('charter', 'other'))),
    6,
  ],
  ['a checkpoint without a note', () => edited(5, ({ data }) => delete data['checkpoint']), 6],
  ...(['id', 'type', 'subject', 'time', 'specversion', 'datacontenttype', 'more'] as const).map(
    (name): [string, () => string[], number] => [
      `an envelope whose ${name} differs from the data`,
      () => edited(1, (line) => (line[name] = 'other')),
      2,
    ],
  ),
  ['data that was not hashed', () => edited(1, ({ data }) => (data['more'] = 1)), 2],
  ['a name twice', () => lines.with(1, lines[1]!.replace('{', '{"type":"Other",')), 2],
  ['white space', () => lines.with(1, lines[1]!.replace(':', ': ')), 2],
  ['another spelling', () => lines.with(1, lines[1]!.replace('ü', '\\u00fc')), 2],
  ['half a character', () => lines.with(1, lines[1]!.replace('ü', '\\ud800')), 2],
  ['carriage returns', () => lines.map((line) => `${line}\r`), 1],
  ['a byte order mark', () => lines.with(0, `\ufeff${lines[0]!}`), 1],
  ['a binary file', () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(5_000, 0x97)]), 1],
  ['a binary file with line breaks', () => Buffer.from('89504e470d0a1a0a0a0a', 'hex'), 1],
  ['zeros', () => Buffer.concat([bytesOf(lines.slice(0, 2)), Buffer.alloc(3_000), Buffer.from('\n')]), 3],
  ['text', () => ['Dear auditor,', 'here is the export.'], 1],
  ['JSON that is no event', () => lines.with(1, '{"specversion":"1.0"}'), 2],
  ['numbers', () => lines.with(1, '17'), 2],
  ['levels without end', () => lines.with(1, `${'['.repeat(50_000)}${']'.repeat(50_000)}`), 2],
];

describe('The check of a file in the browser', () => {
  it.each([1, 7, 64, 1_000_000])('accepts an intact export if it gets %d bytes at a time', async (size) => {
    const { checkpoint, ...verdict } = await checked(bytesOf(lines), size).then((one) => ({
      ...one,
      checkpoint: one.ok ? one.signed?.checkpoint : undefined,
    }));
    const { hash } = ((JSON.parse(lines[4]!) as Line).data['metadata'] ?? {}) as { hash: string };
    expect(verdict).toMatchObject({ ok: true, stream, events: 5, head: hash, signed: { key: signer.verifierKey } });
    const root = rootOf([{ stream, head: hash }]);
    expect(checkpoint).toMatchObject({ store: await log.identity(), events: 5, root, covers: stream, at });
  });

  it.each(falsified)('finds the same line, revision and reason as the command line: %s', async (...[, make, line]) => {
    const damaged = await make();
    const bytes = Buffer.isBuffer(damaged) ? damaged : bytesOf(damaged);
    const verdict = await checked(bytes);
    if (verdict.ok) throw new Error('The falsified file was accepted.');
    expect(verdict.flaw.line).toBe(line);
    if (verdict.flaw.code === 'empty')
      await expect(judged(bytes)).resolves.toMatchObject({ reason: 'The file is empty.' });
    else expect(worded(verdict.flaw)).toEqual(await judged(bytes));
  });

  it('finds a change of every third byte, in the line of the byte or in the next line', async () => {
    const bytes = bytesOf(lines);
    for (let index = 0; index < bytes.length; index += 3) {
      const other = Buffer.from(bytes);
      other[index]! ^= index % 2 === 0 ? 1 : 32;
      const verdict = await checked(other, 100_000);
      const line = bytes.subarray(0, index).filter((byte) => byte === 10).length + 1;
      if (verdict.ok) throw new Error(`Byte ${index} may be changed.`);
      expect([line, line + 1]).toContain(verdict.flaw.line);
    }
  }, 60_000);

  it('recognizes an export of the whole log, which only the command line checks', async () => {
    const whole: string[] = [];
    for await (const line of exportLog(log, signer, at)) whole.push(line);
    expect(await checked(bytesOf(whole))).toEqual({ ok: false, flaw: { code: 'whole-log' }, near: [] });
  });

  it('refuses a line that is too long before it has read the whole line', async () => {
    async function* endless() {
      yield bytesOf(lines.slice(0, 2));
      for (;;) yield Buffer.alloc(1_000, 32);
    }
    const verdict = await checkFile(endless(), { verifies: browserEd25519, maxLine: 50_000 });
    expect(verdict).toMatchObject({ ok: false, flaw: { code: 'line-too-long', line: 3 } });
  });

  it('returns the last two events before the flaw, and the event with the flaw', async () => {
    const verdict = await checked(bytesOf(edited(3, ({ data }) => (data['data'] = {}))));
    expect(verdict).toMatchObject({ near: [1, 2, 3].map((revision) => ({ line: revision + 1, revision, at })) });
  });

  it('refuses the intact export of another organization in its first line', async () => {
    const theirs = bytesOf(await exported(log, 'organization-b'));
    await expect(checked(theirs, 50, { stream })).resolves.toMatchObject({
      ok: false,
      flaw: { code: 'other-stream', line: 1, values: { other: 'organization-b', stream } },
    });
    await expect(checked(bytesOf(lines), 50, { stream })).resolves.toMatchObject({ ok: true, stream });
  });

  it('refuses an intact export with fewer events than expected, but accepts one with more events', async () => {
    const flaw = { code: 'older', values: { last: 4, head: 5 } };
    expect(await checked(bytesOf(lines), 50, { eventsMin: 6 })).toEqual({ ok: false, flaw, near: [] });
    for (const eventsMin of [5, 4])
      await expect(checked(bytesOf(lines), 50, { eventsMin })).resolves.toMatchObject({ ok: true, events: 5 });
  });

  it('reports the number of checked events while it reads the file', async () => {
    const counts: number[] = [];
    await checked(bytesOf(lines), 1_000, { onProgress: ({ events }: { events: number }) => counts.push(events) });
    expect(counts.at(0)).toBeLessThan(5);
    expect(counts.at(-1)).toBe(5);
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
  });

  it('accepts events without a checkpoint if their chain is intact, and finds the flaw if an event was changed', async () => {
    const plain = lines
      .slice(0, -1)
      .map((line) => JSON.stringify({ ...(JSON.parse(line) as Line).data, position: '1' }));
    const events = (some: readonly string[]) => checked(bytesOf(some), 50, { form: 'events' });
    await expect(events(plain)).resolves.toMatchObject({ ok: true, events: 5 });
    const broken = plain.with(2, plain[2]!.replace('"number":3', '"number":9'));
    await expect(events(broken)).resolves.toMatchObject({ ok: false, flaw: { code: 'content', revision: 2 } });
    const unreadable = plain.with(2, JSON.stringify({ ...(JSON.parse(plain[2]!) as object), metadata: null }));
    await expect(events(unreadable)).resolves.toMatchObject({ ok: false, flaw: { code: 'no-metadata', revision: 2 } });
  });

  it('has a message for each kind of flaw', () =>
    expect(flawCodes.filter((code) => !(`flaw.${code}` in messages))).toEqual([]));
});
