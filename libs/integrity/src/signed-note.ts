import { createPrivateKey, createPublicKey, hash as digest, sign, verify } from 'node:crypto';

/** The signer of notes: a name and an Ed25519 key. */
export type Signer = Readonly<{ name: string; verifierKey: string; sign: (text: string) => Buffer }>;

/** Verifies the signatures of one signer, who has a name and a public key. */
export type Verifier = Readonly<{
  name: string;
  id: string;
  verifies: (text: string, signature: Uint8Array) => boolean;
}>;

/** A signature under a note, with the signer's name that the note contains. */
type NoteSignature = Readonly<{ name: string; id: string; signature: Buffer }>;

/** The text of a note, its verified signatures, and its signatures by unknown keys. */
export type OpenedNote = Readonly<{
  text: string;
  verified: readonly NoteSignature[];
  unknown: readonly NoteSignature[];
}>;

/** The error for a text that is not a signed note or not a key, and for a note that no known key has signed. */
export class NoteRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoteRefused';
  }
}

/** The error for a note that none of the known keys has signed. */
export class UnknownSigner extends NoteRefused {}

/** The number that C2SP signed-note assigns to Ed25519. */
const ED25519 = 1;
const KEY_BYTES = 32;
const ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
/**
 * The maximum number of signatures, greater than any note of Charter needs. C2SP signed-note requires a maximum of at
 * least 16.
 */
const SIGNATURES_MAX = 100;

/** The bytes before a raw key in its DER encoding (RFC 8410). */
const PRIVATE_BEGINNING = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_BEGINNING = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Signs with a 32-byte Ed25519 seed (RFC 8032).
 * @throws NoteRefused for a name that a note cannot have, or a seed of another length
 */
export function signerOf(name: string, seed: Uint8Array): Signer {
  if (!isName(name)) throw new NoteRefused('The name of a key must have neither spaces nor a plus sign.');
  if (seed.length !== KEY_BYTES) throw new NoteRefused(`The seed of a key must be ${KEY_BYTES} bytes.`);
  const key = createPrivateKey({ key: Buffer.concat([PRIVATE_BEGINNING, seed]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const raw = spki.subarray(PUBLIC_BEGINNING.length);
  const verifierKey = `${name}+${idOf(name, raw)}+${Buffer.concat([Buffer.of(ED25519), raw]).toString('base64')}`;
  return { name, verifierKey, sign: (text) => sign(null, Buffer.from(text), key) };
}

/** Parses a verifier key: `name+id+key`, with the id in hex and the key in base64. @throws NoteRefused */
export function verifierOf(verifierKey: string): Verifier {
  const [, name = '', id = '', encoded = ''] = /^([^+]*)\+([0-9a-f]{8})\+(.+)$/s.exec(verifierKey) ?? [];
  const bytes = base64(encoded);
  if (!isName(name) || bytes === undefined || bytes[0] !== ED25519 || bytes.length !== 1 + KEY_BYTES)
    throw new NoteRefused(
      'This is not a verifier key of signed notes. ' +
        'Such a key is a name, 8 hex digits and an Ed25519 key in base64, joined by `+`.',
    );
  const raw = bytes.subarray(1);
  if (idOf(name, raw) !== id)
    throw new NoteRefused('The key is damaged: its 8 hex digits do not match its name and key.');
  const key = createPublicKey({ key: Buffer.concat([PUBLIC_BEGINNING, raw]), format: 'der', type: 'spki' });
  return {
    name,
    id,
    verifies: (text, signature) =>
      signature.length === SIGNATURE_BYTES && verify(null, Buffer.from(text), key, signature),
  };
}

/**
 * Returns the signed note: the text, and one line for each signature (C2SP signed-note).
 * @throws NoteRefused unless the text ends with a line break and has no other control characters
 */
export function signNote(text: string, ...signers: readonly Signer[]): string {
  if (!isText(text))
    throw new NoteRefused(
      'The text of a note must be well-formed, end with a line break, and have no other control character.',
    );
  const lines = signers.map((signer) => {
    const [, id] = signer.verifierKey.split('+', 2);
    return `— ${signer.name} ${Buffer.concat([Buffer.from(id!, 'hex'), signer.sign(text)]).toString('base64')}\n`;
  });
  return `${text}\n${lines.join('')}`;
}

/**
 * Opens a note that at least one known key has signed.
 * @throws NoteRefused if the note is malformed, if a known signature is wrong, or if no known key has signed it
 */
export function openNote(note: string, ...known: readonly Verifier[]): OpenedNote {
  const { text, signatures } = partsOf(note);
  const verified: NoteSignature[] = [];
  const unknown: NoteSignature[] = [];
  for (const one of signatures) {
    const verifier = known.find(({ name, id }) => name === one.name && id === one.id);
    if (verifier && !verifier.verifies(text, one.signature))
      throw new NoteRefused(`The signature of ${one.name} does not match this text.`);
    (verifier ? verified : unknown).push(one);
  }
  if (verified.length > 0) return { text, verified, unknown };
  const names = unknown.map(({ name, id }) => `${name}+${id}`).join(', ');
  throw new UnknownSigner(`The note is signed by ${names}, and not by any of the given keys.`);
}

/** The text and the signatures of a note. The signatures are not verified yet. @throws NoteRefused */
function partsOf(note: string): { text: string; signatures: readonly NoteSignature[] } {
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const below = note.slice(end + 2);
  if (end < 0 || !isText(text) || !below.endsWith('\n')) throw new NoteRefused('This is not a signed note.');
  const signatures = below.slice(0, -1).split('\n').map(signatureIn);
  if (signatures.length > SIGNATURES_MAX) throw new NoteRefused('The note has too many signatures.');
  return { text, signatures };
}

function signatureIn(line: string): NoteSignature {
  const [, name = '', encoded = ''] = /^— (\S+) (\S+)$/.exec(line) ?? [];
  const bytes = base64(encoded);
  if (!isName(name) || bytes === undefined || bytes.length <= ID_BYTES)
    throw new NoteRefused('The note has a line that is not a signature where a signature must be.');
  return { name, id: bytes.subarray(0, ID_BYTES).toString('hex'), signature: bytes.subarray(ID_BYTES) };
}

/** The bytes of a base64 text; `undefined` if the text is not the base64 form that Node writes for these bytes. */
function base64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

const idOf = (name: string, key: Uint8Array): string =>
  digest('sha256', Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), key])).slice(0, 2 * ID_BYTES);

const isName = (name: string): boolean => name !== '' && !/[\s+\p{Zs}\p{Cc}]/u.test(name) && name.isWellFormed();
const isText = (text: string): boolean =>
  text.endsWith('\n') && text.isWellFormed() && Buffer.from(text).every((byte) => byte >= 32 || byte === 10);
