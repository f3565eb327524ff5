import { base64Bytes, hexOf, joined, sha256, utf8 } from './byte-text';
import type { FlawCode } from './flaws';

/**
 * Constants of C2SP signed-note: the number for Ed25519, sizes in bytes, and the maximum number of signatures in a
 * note.
 */
const ED25519 = 1;
const KEY_BYTES = 32;
const ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
const SIGNATURES_MAX = 100;

/** Verifies an Ed25519 signature over a text. */
export type SignatureCheck = (
  key: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  text: Uint8Array<ArrayBuffer>,
) => Promise<boolean>;

/** Thrown if the check refuses a verifier key or a signed note. */
export class SignatureRefused extends Error {
  constructor(
    readonly code: FlawCode,
    readonly values?: Readonly<Record<string, string | number>>,
  ) {
    super(code);
    this.name = 'SignatureRefused';
  }
}

/** A verifier key of C2SP signed-note. */
export type NoteKey = Readonly<{ name: string; id: string; bytes: Uint8Array<ArrayBuffer> }>;

/** Reads a verifier key: `name+id+key`, the id in hex and the key in base64. @throws SignatureRefused */
export async function noteKey(text: string): Promise<NoteKey> {
  const [, name = '', id = '', encoded = ''] = /^([^+]*)\+([0-9a-f]{8})\+(.+)$/s.exec(text) ?? [];
  const bytes = base64Bytes(encoded);
  if (!isName(name) || bytes === undefined || bytes[0] !== ED25519 || bytes.length !== 1 + KEY_BYTES)
    throw new SignatureRefused('key-malformed');
  const print = await sha256(joined(utf8(`${name}\n`), bytes));
  if (print.slice(0, 2 * ID_BYTES) !== id) throw new SignatureRefused('key-damaged');
  return { name, id, bytes: bytes.slice(1) };
}

/** Verifies that the key has signed a note, and returns the text of the note. @throws SignatureRefused */
export async function openedText(note: string, key: NoteKey, verifies: SignatureCheck): Promise<string> {
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const below = note.slice(end + 2);
  if (end < 0 || !isText(text) || !below.endsWith('\n')) throw new SignatureRefused('note-malformed');
  const signatures = below.slice(0, -1).split('\n').map(signatureIn);
  if (signatures.length > SIGNATURES_MAX) throw new SignatureRefused('too-many-signatures');
  const own = signatures.filter(({ name, id }) => name === key.name && id === key.id);
  if (own.length === 0)
    throw new SignatureRefused('note-of-another-signer', {
      signers: signatures.map(({ name, id }) => `${name}+${id}`).join(', '),
    });
  for (const { signature } of own)
    if (signature.length !== SIGNATURE_BYTES || !(await verifies(key.bytes, signature, utf8(text))))
      throw new SignatureRefused('signature-wrong', { name: key.name });
  return text;
}

function signatureIn(line: string) {
  const [, name = '', encoded = ''] = /^— (\S+) (\S+)$/.exec(line) ?? [];
  const bytes = base64Bytes(encoded);
  if (!isName(name) || bytes === undefined || bytes.length <= ID_BYTES)
    throw new SignatureRefused('signature-malformed');
  return { name, id: hexOf(bytes.subarray(0, ID_BYTES)), signature: bytes.slice(ID_BYTES) };
}

const isName = (name: string): boolean => name !== '' && !/[\s+\p{Zs}\p{Cc}]/u.test(name) && name.isWellFormed();
const isText = (text: string): boolean =>
  text.endsWith('\n') && text.isWellFormed() && utf8(text).every((byte) => byte >= 32 || byte === 10);

/** The content of a signed checkpoint (`docs/reference/command-line.md`). */
export type NoteCheckpoint = Readonly<{
  store: string;
  events: number;
  /** The hash over the last hashes of all covered streams, in hex. */
  root: string;
  covers: string;
  position: string;
  at: string;
}>;

/** Reads the checkpoint in the text of a note. @throws SignatureRefused */
export function checkpointIn(text: string): NoteCheckpoint {
  const [, store, events, encoded, covers, position, at] = FORM.exec(text) ?? [];
  const root = base64Bytes(encoded ?? '');
  if (at === undefined || root === undefined) throw new SignatureRefused('not-a-checkpoint');
  return { store: store!, events: Number(events), root: hexOf(root), covers: covers!, position: position!, at };
}

const FORM = /^charter\/([^\s/]+)\n(0|[1-9]\d{0,14})\n([\w+/]{43}=)\ncovers ([^\n]+)\nposition (\d{20})\nat (\S+)\n$/;
