import { MemoryLog } from '@charter/event-log';
import { exportStream, sealEvents, signerOf, ZERO_HASH } from '@charter/integrity';

const at = '2026-11-21T09:00:00.000Z';
const stream = 'organization-7c1e52f0-4b1d-4a57-9d0e-2f3b9a6c1d10';
const signer = signerOf('charter', Buffer.alloc(32, 1));

/** The public key for the signature of the sample export. */
export const sampleKey = signer.verifierKey;

/** The number of events in one append, because the log limits the size of an append. */
const APPENDED = 1_000;

/** The export of a history with this number of events, as the API sends it. */
export async function sampleExport(count = 1284): Promise<string> {
  const log = new MemoryLog();
  const decided = Array.from({ length: count }, (_, number) => ({ type: 'PlanAssigned', data: { number } }));
  const actor = { kind: 'billing', id: 'stripe', powers: [] } as const;
  const envelope = { actor, at, correlation: 'c', causation: 'c', command: '00000000-0000-4000-8000-000000000001' };
  const sealed = sealEvents(decided, stream, { revision: -1, hash: ZERO_HASH, at }, envelope);
  for (let from = 0; from < count; from += APPENDED)
    await log.append(stream, sealed.slice(from, from + APPENDED), {
      expected: from === 0 ? 'no_stream' : BigInt(from - 1),
    });
  let text = '';
  for await (const line of exportStream(log, stream, signer, at)) text += `${line}\n`;
  return text;
}

/** The same export with one changed value. */
export const alteredExport = async () => (await sampleExport(1284)).replace('"number":1191', '"number":1192');

/** The same export without its last two lines. */
export const cutExport = async () => (await sampleExport()).split('\n').slice(0, -3).join('\n') + '\n';

/**
 * An export whose second event has another stream name. This name is 1 MB long, and begins with a character that
 * reverses the text direction.
 */
export async function hostileExport(): Promise<string> {
  const lines = (await sampleExport(3)).split('\n');
  return lines.with(1, lines[1]!.replaceAll(stream, `\u202e${'x'.repeat(1_000_000)}`)).join('\n');
}

/** The result of a verification on the server; the last signature does not cover the newest events. */
export const sampleVerdict = {
  ...{ ok: true, events: 1284, head: '9f2c81d0a1e4c07b'.repeat(4) },
  ...{ signed: { at, events: 1281 }, readModel: { ok: true, revision: 1283 } },
};
