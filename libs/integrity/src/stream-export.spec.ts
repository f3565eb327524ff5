import { randomUUID } from 'node:crypto';
import { BrokenChain } from './chain-errors';
import { ImportRefused } from './log-export/export-format';
import { readExportSummary } from './log-export/log-export';
import { canonicalJson } from './canonical';
import { hashOf, ZERO_HASH, sealEvents } from './chain';
import { openCheckpoint, rootOf } from './signed-checkpoint';
import { exportStream } from './stream-export';
import { readLines } from './file-lines';
import { MemoryLog } from '@charter/event-log';
import { signerOf, verifierOf } from './signed-note';

const at = '2026-11-21T12:00:00.000Z';
const signer = signerOf('charter', Buffer.alloc(32, 1));
const stream = 'organization-a';

async function logOf(...streams: readonly string[]) {
  const log = new MemoryLog();
  for (const name of streams) {
    const context = { actor: { kind: 'system', id: 's', powers: [] }, at, correlation: 'c', causation: 'c' } as const;
    const decided = [1, 2, 3, 4, 5].map((number) => ({ type: 'Noted', data: { number, text: 'ü' } }));
    const sealed = sealEvents(
      decided,
      name,
      { revision: -1, hash: ZERO_HASH, at },
      { ...context, command: randomUUID() },
    );
    await log.append(name, sealed, { expected: 'no_stream' });
  }
  return log;
}

async function exportedFrom(log: MemoryLog, name = stream, key = signer): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportStream(log, name, key, at)) lines.push(line);
  return lines;
}

const bytesOf = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''));
async function* inPieces(bytes: Buffer, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}
const verified = (bytes: Buffer, size = 7) => readExportSummary(readLines(inPieces(bytes, size)));

type Line = { data: Record<string, unknown> } & Record<string, unknown>;
const changed = (line: string, change: (line: Line) => void): string => {
  const value = JSON.parse(line) as Line;
  change(value);
  return canonicalJson(value);
};

/** Changes an event's data and recomputes its hash, as an attacker with the public code can. */
function rewritten(data: Record<string, unknown>): void {
  data['data'] = { number: 9 };
  const metadata = data['metadata'] as { hash?: string };
  delete metadata.hash;
  metadata.hash = hashOf(data as Parameters<typeof hashOf>[0]);
}

let log: MemoryLog;
let lines: string[];
beforeEach(async () => {
  log = await logOf(stream, 'organization-b');
  lines = await exportedFrom(log);
});

describe('Exported history', () => {
  it('has a line for each event, with the hashed object in a CloudEvent; its last line contains a signed checkpoint', async () => {
    const stored = [];
    for await (const event of log.readStream(stream)) stored.push(event);
    const events = lines.slice(0, -1).map((line) => JSON.parse(line) as Line);
    expect(events.map(({ data }) => data)).toEqual(
      stored.map(({ id, type, data, metadata }, revision) => ({ stream, revision, id, type, data, metadata })),
    );
    expect(events[0]).toMatchObject({ specversion: '1.0', subject: stream, type: 'Noted', time: at });
    const { checkpoint, key } = (JSON.parse(lines[5]!) as { data: { checkpoint: string; key: string } }).data;
    expect(openCheckpoint(checkpoint, verifierOf(key))).toEqual({
      store: await log.identity(),
      events: 5,
      root: rootOf([{ stream, head: (stored[4]!.metadata as { hash: string }).hash }]),
      covers: stream,
      position: stored[4]!.position,
      at,
    });
  });

  it.each([1, 7, 64, 1_000_000])('can be verified when it is read %d bytes at a time', async (size) => {
    const { events, streams, signed } = await verified(bytesOf(lines), size);
    expect({ events, streams, key: signed?.key }).toEqual({ events: 5, streams: 1, key: signer.verifierKey });
  });

  it('is refused after a change of one byte; the error names the changed line or the next line', async () => {
    const bytes = bytesOf(lines);
    for (let index = 0; index < bytes.length; index += 5) {
      const other = Buffer.from(bytes);
      other[index]! ^= index % 2 === 0 ? 1 : 32;
      const failure = await verified(other, 1_000_000).catch((error: unknown) => error);
      if (!(failure instanceof ImportRefused)) throw new Error(`Byte ${index} may be changed: ${String(failure)}`);
      const line = bytes.subarray(0, index).filter((byte) => byte === 10).length + 1;
      expect([line, line + 1]).toContain(failure.flaw.line);
    }
  });

  it('is not made from a stream with a broken chain', async () => {
    await log.append(stream, [{ id: randomUUID(), type: 'Noted', data: {}, metadata: {} }], { expected: 4n });
    const failure = await exportedFrom(log).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(BrokenChain);
    expect(failure).toMatchObject({
      stream,
      at: 5,
      reason: 'its previous hash is not the hash of the event before it',
    });
  });
});

describe('The verification of an exported history finds and names', () => {
  const other = signerOf('charter', Buffer.alloc(32, 2));
  const cases: [
    string,
    () => readonly string[] | Buffer | Promise<readonly string[]>,
    number,
    number | undefined,
    RegExp,
  ][] = [
    [
      'a changed value',
      () =>
        lines.with(
          2,
          changed(lines[2]!, ({ data }) => (data['data'] = { number: 9 })),
        ),
      3,
      2,
      /hash does not match its content/,
    ],
    ['an event that was taken out', () => lines.toSpliced(2, 1), 3, 3, /revision 2 is missing/],
    ['the first event taken out', () => lines.slice(1), 1, 1, /revision 0 is missing/],
    ['an event that was put in twice', () => lines.toSpliced(3, 0, lines[1]!), 4, 1, /revision 1 is repeated/],
    [
      'an event that was made up',
      () =>
        lines.toSpliced(
          5,
          0,
          changed(lines[4]!, ({ data }) => (data['revision'] = 5)),
        ),
      6,
      5,
      /is not the hash of the event before/,
    ],
    [
      'two events that changed places',
      () => lines.with(2, lines[3]!).with(3, lines[2]!),
      3,
      3,
      /revision 2 is missing/,
    ],
    [
      'an event of another organization',
      async () => lines.with(2, (await exportedFrom(log, 'organization-b'))[2]!),
      3,
      2,
      /belongs to organization-b/,
    ],
    ['a file whose end was cut off', () => lines.slice(0, 3), 4, 3, /checkpoint is missing: the file was cut off/],
    ['a missing event before the checkpoint', () => lines.toSpliced(4, 1), 5, 4, /covers 5 events, the file has 4/],
    [
      'a last line without a line break',
      () => Buffer.from(lines.join('\n')),
      6,
      undefined,
      /does not end: the file was cut off/,
    ],
    ['something after the checkpoint', () => [...lines, lines[0]!], 7, undefined, /after the checkpoint/],
    ['an empty line after the checkpoint', () => [...lines, ''], 7, undefined, /after the checkpoint/],
    [
      'the checkpoint of another organization',
      async () => lines.with(5, (await exportedFrom(log, 'organization-b'))[5]!),
      6,
      5,
      /about organization-b/,
    ],
    [
      'the checkpoint of another store',
      async () => lines.with(5, (await exportedFrom(await logOf(stream)))[5]!),
      6,
      5,
      /of another store/,
    ],
    [
      'a last event that an attacker changed, with the right hash for its new content',
      () =>
        lines.with(
          4,
          changed(lines[4]!, ({ data }) => rewritten(data)),
        ),
      6,
      5,
      /signed over other events/,
    ],
    [
      'a checkpoint that another key signed under the right name',
      async () => {
        const [theirs, ours] = [(await exportedFrom(log, stream, other))[5]!, lines[5]!];
        const { key } = (JSON.parse(ours) as Line).data;
        return lines.with(
          5,
          changed(theirs, ({ data }) => (data['key'] = key)),
        );
      },
      6,
      undefined,
      /checkpoint cannot be verified: The note is signed by charter/,
    ],
    [
      'a checkpoint whose signature is wrong',
      () => {
        const spoilt = (note: string) => note.replace(/\n5\n/, '\n6\n');
        return lines.with(
          5,
          changed(lines[5]!, ({ data }) => (data['checkpoint'] = spoilt(String(data['checkpoint'])))),
        );
      },
      6,
      undefined,
      /checkpoint cannot be verified: .* does not match this text/,
    ],
    ...(['id', 'type', 'subject', 'time', 'specversion', 'datacontenttype'] as const).map(
      (name): [string, () => string[], number, number, RegExp] => [
        `an envelope with a wrong ${name}`,
        () =>
          lines.with(
            1,
            changed(lines[1]!, (line) => (line[name] = 'other')),
          ),
        2,
        1,
        new RegExp(`the field ${name} contradicts the data`),
      ],
    ),
    [
      'an envelope with an additional field',
      () =>
        lines.with(
          1,
          changed(lines[1]!, (line) => (line['more'] = 1)),
        ),
      2,
      1,
      /the field more contradicts the data/,
    ],
    [
      'data with an additional field that was not hashed',
      () =>
        lines.with(
          1,
          changed(lines[1]!, ({ data }) => (data['more'] = 1)),
        ),
      2,
      1,
      /not written as Charter writes it/,
    ],
    [
      'another `source` in one of the events',
      () =>
        lines.with(
          1,
          changed(lines[1]!, (line) => (line['source'] = 'charter/x')),
        ),
      2,
      1,
      /source is not that of the events before/,
    ],
    [
      'a field name that appears twice',
      () => lines.with(1, lines[1]!.replace('{', '{"type":"Other",')),
      2,
      1,
      /a name twice/,
    ],
    ['additional white space', () => lines.with(1, lines[1]!.replace(':', ': ')), 2, 1, /white space/],
    [
      'a letter that is written as an escape sequence',
      () => lines.with(1, lines[1]!.replace('ü', '\\u00fc')),
      2,
      1,
      /another spelling/,
    ],
    ['half of a surrogate pair', () => lines.with(1, lines[1]!.replace('ü', '\\ud800')), 2, 1, /another spelling/],
    ['carriage returns', () => lines.map((line) => `${line}\r`), 1, 0, /white space/],
    [
      'a byte order mark at the beginning of the file',
      () => lines.with(0, `\ufeff${lines[0]!}`),
      1,
      undefined,
      /not JSON/,
    ],
    [
      'bytes that are not UTF-8',
      () => {
        const bytes = bytesOf(lines);
        bytes[bytes.indexOf('ü')] = 0xff;
        return bytes;
      },
      1,
      undefined,
      /not UTF-8/,
    ],
    ['a line that is no event', () => lines.with(1, '{"specversion":"1.0"}'), 2, undefined, /no event of an export/],
  ];

  it.each(cases)('%s', async (_, damage, line, at, reason) => {
    const damaged = await damage();
    const failure = await verified(Buffer.isBuffer(damaged) ? damaged : bytesOf(damaged)).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(ImportRefused);
    const { flaw } = failure as ImportRefused;
    expect({ line: flaw.line, at: flaw.at }).toEqual({ line, at });
    expect(flaw.reason).toMatch(reason);
  });

  it('an empty file', async () => {
    await expect(verified(Buffer.of())).rejects.toThrow('The file is empty.');
  });
});
