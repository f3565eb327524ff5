import { createPrivateKey, createPublicKey, hash as digest, sign, verify } from 'node:crypto';

/** Who signs notes: a name and an Ed25519 key. */
export type Signer = Readonly<{ name: string; verifierKey: string; sign: (text: string) => Buffer }>;

/** Who can tell whether a signature is of this name and key. */
export type Verifier = Readonly<{
  name: string;
  id: string;
  verifies: (text: string, signature: Uint8Array) => boolean;
}>;

/** A signature as it stands under a note: by whom, as they say. */
type NoteSignature = Readonly<{ name: string; id: string; signature: Buffer }>;

/** What a note says, and who has signed it: those who are known, and those who are not. */
export type OpenedNote = Readonly<{
  text: string;
  verified: readonly NoteSignature[];
  unknown: readonly NoteSignature[];
}>;

/** It is no signed note, no key, or signed by nobody whose key is known. */
export class NoteRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoteRefused';
  }
}

/** The kind of signature and key: Ed25519 as signed-note says. */
const ED25519 = 1;
const KEY_BYTES = 32;
const ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
/** More than any note here has; the specification asks for 16 at least. */
const SIGNATURES_MAX = 100;

/** What stands before a raw key in its usual wrapping (RFC 8410). */
const PRIVATE_BEGINNING = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_BEGINNING = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Signs with a 32-byte Ed25519 seed (RFC 8032).
 * @throws NoteRefused for a name that no note can carry, or a seed of another length
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

/** Reads a verifier key: `name+id+key`, the id in hex and the key in base64. @throws NoteRefused */
export function verifierOf(verifierKey: string): Verifier {
  const [, name = '', id = '', encoded = ''] = /^([^+]*)\+([0-9a-f]{8})\+(.+)$/s.exec(verifierKey) ?? [];
  const bytes = base64(encoded);
  if (!isName(name) || bytes === undefined || bytes[0] !== ED25519 || bytes.length !== 1 + KEY_BYTES)
    throw new NoteRefused(
      'This is no key of signed notes: a name, 8 hex digits and an Ed25519 key, plus signs between.',
    );
  const raw = bytes.subarray(1);
  if (idOf(name, raw) !== id)
    throw new NoteRefused('The key is damaged: its 8 hex digits are not those of its name and key.');
  const key = createPublicKey({ key: Buffer.concat([PUBLIC_BEGINNING, raw]), format: 'der', type: 'spki' });
  return {
    name,
    id,
    verifies: (text, signature) =>
      signature.length === SIGNATURE_BYTES && verify(null, Buffer.from(text), key, signature),
  };
}

/**
 * A text and a line for each signature (C2SP signed-note).
 * @throws NoteRefused for a text that no note can carry: it ends with a line break and has no other control characters
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
 * What a note says, once somebody who is known has signed it.
 * @throws NoteRefused when it is malformed, when a known signature is not of this text, or when nobody who is known signed it
 */
export function openNote(note: string, ...known: readonly Verifier[]): OpenedNote {
  const { text, signatures } = partsOf(note);
  const verified: NoteSignature[] = [];
  const unknown: NoteSignature[] = [];
  for (const one of signatures) {
    const verifier = known.find(({ name, id }) => name === one.name && id === one.id);
    if (verifier && !verifier.verifies(text, one.signature))
      throw new NoteRefused(`The signature of ${one.name} is not of this text.`);
    (verifier ? verified : unknown).push(one);
  }
  if (verified.length > 0) return { text, verified, unknown };
  const names = unknown.map(({ name, id }) => `${name}+${id}`).join(', ');
  throw new NoteRefused(`It is signed by ${names}, and by nobody whose key was given.`);
}

/** The text of a note and what stands under it, none of it believed. @throws NoteRefused */
function partsOf(note: string): { text: string; signatures: readonly NoteSignature[] } {
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const below = note.slice(end + 2);
  if (end < 0 || !isText(text) || !below.endsWith('\n')) throw new NoteRefused('This is no signed note.');
  const signatures = below.slice(0, -1).split('\n').map(signatureIn);
  if (signatures.length > SIGNATURES_MAX) throw new NoteRefused('The note has too many signatures.');
  return { text, signatures };
}

function signatureIn(line: string): NoteSignature {
  const [, name = '', encoded = ''] = /^— (\S+) (\S+)$/.exec(line) ?? [];
  const bytes = base64(encoded);
  if (!isName(name) || bytes === undefined || bytes.length <= ID_BYTES)
    throw new NoteRefused('The note has a line where a signature should be that is none.');
  return { name, id: bytes.subarray(0, ID_BYTES).toString('hex'), signature: bytes.subarray(ID_BYTES) };
}

/** Of what is written in the one way that base64 writes it; a letter more or less is something else. */
function base64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

const idOf = (name: string, key: Uint8Array): string =>
  digest('sha256', Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), key])).slice(0, 2 * ID_BYTES);

const isName = (name: string): boolean => name !== '' && !/[\s+\p{Zs}\p{Cc}]/u.test(name) && name.isWellFormed();
const isText = (text: string): boolean =>
  text.endsWith('\n') && text.isWellFormed() && Buffer.from(text).every((byte) => byte >= 32 || byte === 10);
