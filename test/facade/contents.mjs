import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Translates between a server's events, which hold any bytes, and those of the embedded log, which hold JSON objects of
 * limited size. Other content is wrapped; the parts of a large append are files of this folder.
 */
export function contentsIn(folder) {
  const files = join(folder, 'contents');
  mkdirSync(files, { recursive: true });

  const keep = (bytes) => {
    const name = createHash('sha256').update(bytes).digest('hex');
    const beside = join(files, `${name}.${process.pid}`);
    writeFileSync(beside, bytes);
    renameSync(beside, join(files, name)); // a killed façade leaves no half of a file
    return name;
  };
  const wrapped = (bytes, isJson, isLarge) => {
    if (isLarge && bytes.length > KEPT_INSIDE) return { [FILE]: keep(bytes), isJson };
    const plain = isJson ? objectIn(bytes) : undefined;
    return plain ?? { [BYTES]: Buffer.from(bytes).toString('base64'), isJson };
  };
  return {
    /** The events of one append, for the embedded log. */
    packed: (events) => {
      const isLarge = events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0) > LARGE;
      return events.map(({ id, type, data, metadata, isJson }) => ({
        ...{ id, type, data: wrapped(data, isJson, isLarge) },
        ...(metadata.length > 0 && { metadata: wrapped(metadata, true, isLarge) }),
      }));
    },
    /** The bytes of data or metadata of the embedded log, and whether their writer called them JSON. */
    unpacked: (content) => {
      if (FILE in content) return { bytes: readFileSync(join(files, content[FILE])), isJson: content.isJson };
      if (BYTES in content) return { bytes: Buffer.from(content[BYTES], 'base64'), isJson: content.isJson };
      return { bytes: Buffer.from(JSON.stringify(content)), isJson: true };
    },
  };
}

const [FILE, BYTES] = ['system:file', 'system:bytes'];

/** The embedded log takes 1 MiB, metadata included, and Base64 needs a third more. */
const LARGE = 700_000;
const KEPT_INSIDE = 100;

/** The object, if its text stays the same when the embedded log parses and prints it. */
function objectIn(bytes) {
  const text = Buffer.from(bytes).toString('utf8');
  if (!text.startsWith('{') || HALF_PAIR.test(text)) return undefined;
  try {
    const parsed = JSON.parse(text);
    return JSON.stringify(parsed) === text ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Half of a surrogate pair, written with its number: the embedded log refuses it. */
const HALF_PAIR = /\\ud[89a-f]/i;
