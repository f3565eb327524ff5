import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Translates events between a server and the embedded log. Events of a server contain any bytes, but events of the
 * embedded log contain JSON objects of limited size. This function therefore wraps other content in an object, and
 * stores the contents of a large append as files in this folder.
 */
export function contentsIn(folder) {
  const files = join(folder, 'contents');
  mkdirSync(files, { recursive: true });

  const keep = (bytes) => {
    const name = createHash('sha256').update(bytes).digest('hex');
    const beside = join(files, `${name}.${process.pid}`);
    writeFileSync(beside, bytes);
    renameSync(beside, join(files, name)); // so a façade that is killed leaves no incomplete file
    return name;
  };
  const wrapped = (bytes, isJson, isLarge) => {
    if (isLarge && bytes.length > KEPT_INSIDE) return { [FILE]: keep(bytes), isJson };
    const plain = isJson ? objectIn(bytes) : undefined;
    return plain ?? { [BYTES]: Buffer.from(bytes).toString('base64'), isJson };
  };
  return {
    /** Turns the events of one append into events of the embedded log. */
    packed: (events) => {
      const isLarge = events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0) > LARGE;
      return events.map(({ id, type, data, metadata, isJson }) => ({
        ...{ id, type, data: wrapped(data, isJson, isLarge) },
        ...(metadata.length > 0 && { metadata: wrapped(metadata, true, isLarge) }),
      }));
    },
    /**
     * Turns data or metadata of the embedded log back into bytes. `isJson`: whether the client marked the content as
     * JSON.
     */
    unpacked: (content) => {
      if (FILE in content) return { bytes: readFileSync(join(files, content[FILE])), isJson: content.isJson };
      if (BYTES in content) return { bytes: Buffer.from(content[BYTES], 'base64'), isJson: content.isJson };
      return { bytes: Buffer.from(JSON.stringify(content)), isJson: true };
    },
  };
}

const [FILE, BYTES] = ['system:file', 'system:bytes'];

/**
 * An append with more bytes than this is stored in files. The embedded log accepts 1 MiB including metadata, and Base64
 * makes content a third larger.
 */
const LARGE = 700_000;
const KEPT_INSIDE = 100;

/** The JSON object in these bytes; undefined if its text would change when the embedded log parses and prints it. */
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

/** Half of a surrogate pair in the escaped form `\ud…`, which the embedded log refuses. */
const HALF_PAIR = /\\ud[89a-f]/i;
