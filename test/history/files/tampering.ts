import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { readExportSummary, type ExportFlaw, readLines, ImportRefused } from '@charter/integrity';
import { organizationStream } from '@charter/organization';
import { openCharter, verifyAllChains } from '@charter/application';
import { parseSettings } from '@charter/settings';
import { tamper } from '../../support/stores/tampering';

/** The kinds of damage to a history (`acceptance.md` I8). */
export const damages = ['changed', 'removed', 'swapped', 'inserted', 'cut off'] as const;
export type Damage = (typeof damages)[number];

/** Returns a random whole number from 0 to `most` - 1. */
export type Chance = (most: number) => number;

/** A generator of random numbers (mulberry32). The same seed gives the same numbers. */
export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  return (most) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

type Row = Record<'event_id' | 'data' | 'metadata', Buffer> & { type: string; revision: number; position: number };

/**
 * Damages the log in a copy of the folder. Resolves with the revisions that `charter verify` may name, and with the
 * broken chains that it finds.
 */
export async function damagedStore(folder: string, id: string, damage: Damage, chance: Chance) {
  const copy = mkdtempSync(join(tmpdir(), 'charter-tampered-'));
  try {
    cpSync(folder, copy, { recursive: true });
    let at: readonly (number | null)[] = [];
    tamper(join(copy, 'events.db'), (database) => (at = damageRows(database, organizationStream(id), damage, chance)));
    return { at, broken: await brokenIn(copy) };
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** The broken chains that `charter verify` finds in the stores of a folder. */
export async function brokenIn(folder: string) {
  const charter = await openCharter(parseSettings({ CHARTER_DATA: folder }), 'beside');
  const { broken } = await verifyAllChains(charter, () => () => undefined).finally(() => charter.close());
  return broken;
}

function damageRows(database: DatabaseSync, stream: string, damage: Damage, chance: Chance): (number | null)[] {
  const { id } = database.prepare('SELECT id FROM streams WHERE name = ?').get(stream) as { id: number };
  const rows = database.prepare('SELECT * FROM events WHERE stream = ? ORDER BY revision').all(id) as unknown as Row[];
  const write = ({ event_id, type, data, metadata }: Row, position: number) =>
    database
      .prepare('UPDATE events SET event_id = ?, type = ?, data = ?, metadata = ? WHERE position = ?')
      .run(event_id, type, data, metadata, position);
  const ended = (events: number) => {
    database.prepare('UPDATE streams SET revision = ? WHERE id = ?').run(events - 1, id);
    database.exec("UPDATE sqlite_sequence SET seq = (SELECT max(position) FROM events) WHERE name = 'events'");
  };
  const one = chance(rows.length);
  const row = rows[one]!;
  if (damage === 'changed') {
    const part = chance(2) === 0 ? 'data' : 'metadata';
    write({ ...row, [part]: changedByte(row[part], chance) }, row.position);
    return [one, null]; // null: if the changed text is no longer JSON, verify cannot name a revision
  }
  if (damage === 'removed') {
    database.prepare('DELETE FROM events WHERE position = ?').run(row.position);
    if (one === rows.length - 1) ended(one);
    return [one + 1, one];
  }
  if (damage === 'swapped') {
    const other = (one + 1 + chance(rows.length - 1)) % rows.length;
    write(row, rows[other]!.position);
    write(rows[other]!, row.position);
    return [Math.min(one, other)];
  }
  if (damage === 'cut off') {
    database.prepare('DELETE FROM events WHERE stream = ? AND revision >= ?').run(id, one);
    if (one === 0) database.prepare('DELETE FROM streams WHERE id = ?').run(id);
    ended(one);
    return [one];
  }
  const columns = 'stream, event_id, type, data, metadata, created';
  database.exec(`UPDATE events SET revision = -1 - revision WHERE stream = ${id} AND revision >= ${one}`);
  database.exec(`UPDATE events SET revision = -revision WHERE stream = ${id} AND revision < 0`);
  const copied = `INSERT INTO events (${columns}, revision) SELECT ${columns}, ${one} FROM events WHERE position = ?`;
  database.prepare(copied).run(rows[chance(rows.length)]!.position);
  ended(rows.length + 1);
  return [one, one + 1]; // verify may name the inserted event or the event after it
}

function changedByte(bytes: Uint8Array, chance: Chance): Buffer {
  const changed = Buffer.from(bytes);
  changed[chance(changed.length)]! ^= 1 + chance(255);
  return changed;
}

/** Damages the bytes of a file. Resolves with the numbers of the damaged lines and the flaw that verification finds. */
export async function damagedFile(file: string, damage: Damage, chance: Chance) {
  const { bytes, lines } = damageBytes(readFileSync(file), damage, chance);
  return { lines, flaw: await flawIn(bytes) };
}

/** The flaw that verification finds in the file; undefined if the file has no flaw. */
export async function flawIn(bytes: Buffer): Promise<ExportFlaw | undefined> {
  async function* pieces() {
    for (let from = 0; from < bytes.length; from += 65_536) yield bytes.subarray(from, from + 65_536);
  }
  try {
    await readExportSummary(readLines(pieces()));
    return undefined;
  } catch (error) {
    if (error instanceof ImportRefused) return error.flaw;
    throw error;
  }
}

function damageBytes(bytes: Buffer, damage: Damage, chance: Chance): { bytes: Buffer; lines: number[] } {
  const lines = bytes.toString().split('\n').slice(0, -1);
  const events = lines.length - 1;
  const one = chance(events);
  const put = (changed: readonly string[], ...at: number[]) => ({
    bytes: Buffer.from(changed.map((line) => `${line}\n`).join('')),
    lines: at,
  });
  if (damage === 'changed') {
    const changed = Buffer.from(bytes);
    const place = chance(bytes.length);
    changed[place]! ^= 1 + chance(255);
    const line = bytes.subarray(0, place).filter((byte) => byte === 10).length + 1;
    // if the changed byte was the line break, the next line becomes a part of this line
    return { bytes: changed, lines: [line, line + 1] };
  }
  if (damage === 'removed') return put(lines.toSpliced(one, 1), one + 1);
  if (damage === 'cut off') {
    const rest = bytes.subarray(0, chance(bytes.length));
    const line = rest.filter((byte) => byte === 10).length + 1;
    return { bytes: rest, lines: rest.length === 0 ? [] : [line] };
  }
  if (damage === 'swapped') {
    const other = (one + 1 + chance(events - 1)) % events;
    return put(lines.with(one, lines[other]!).with(other, lines[one]!), Math.min(one, other) + 1);
  }
  return put(lines.toSpliced(one, 0, lines[chance(events)]!), one + 1, one + 2);
}
