import { NoteRefused, openNote, signerOf, signNote, verifierOf } from './signed-note';

/** The key and the note that the reference implementation publishes (golang.org/x/mod/sumdb/note). */
const published = {
  seed: Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1),
  key: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  text: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
  signature:
    '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n',
};
const note = `${published.text}\n${published.signature}`;
const peter = signerOf('PeterNeumann', published.seed);
const other = signerOf('example.com/other', Buffer.alloc(32, 7));

/** The example in the text of C2SP signed-note, whose key is not published. */
const example = `Ognuno sta solo sul cuor della terra
trafitto da un raggio di sole:

ed è subito sera.

— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=
`;

describe('Signed note', () => {
  it('equals the note that the reference implementation publishes, letter for letter', () => {
    expect(peter.verifierKey).toBe(published.key);
    expect(signNote(published.text, peter)).toBe(note);
    const { text, verified, unknown } = openNote(note, verifierOf(published.key));
    expect({ text, names: verified.map(({ name }) => name), unknown }).toEqual({
      text: published.text,
      names: ['PeterNeumann'],
      unknown: [],
    });
  });

  it('is refused if no key of its signer is given, and the error names the signer', () => {
    expect(() => openNote(example, verifierOf(published.key))).toThrow(/quasimodo\.example\/salvatore\+367ba04b/);
    expect(() => openNote(note)).toThrow(/not by any of the given keys/);
  });

  it('may have several signatures, some of them by unknown signers', () => {
    const both = signNote(published.text, other, peter);
    const opened = openNote(both, verifierOf(published.key));
    expect(opened.verified.map(({ name }) => name)).toEqual(['PeterNeumann']);
    expect(opened.unknown.map(({ name }) => name)).toEqual(['example.com/other']);
    expect(openNote(both, verifierOf(published.key), verifierOf(other.verifierKey)).verified).toHaveLength(2);
  });

  it('is refused as a whole when one known signature is wrong', () => {
    const [, wrong = ''] = signNote('Something else.\n', other).split('\n\n');
    const mixed = note + wrong;
    expect(() => openNote(mixed, verifierOf(published.key), verifierOf(other.verifierKey))).toThrow(
      /does not match this text/,
    );
    expect(openNote(mixed, verifierOf(published.key)).unknown).toHaveLength(1);
  });

  it('is refused if any byte is changed', () => {
    const bytes = Buffer.from(note);
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      expect(() => openNote(changed.toString(), verifierOf(published.key))).toThrow(NoteRefused);
    }
  });

  it.each([
    ['nothing', ''],
    ['no signature', `${published.text}\n`],
    ['no empty line', `${published.text}${published.signature}`],
    ['no line break at the end', note.slice(0, -1)],
    ['something after it', `${note}more\n`],
    ['another dash', note.replace('—', '-')],
    ['a tabulator', note.replace('If you', 'If\tyou')],
    ['carriage returns', note.replaceAll('\n', '\r\n')],
    ['half a character', note.replace('If you', 'If \ud800')],
    ['a name with a plus sign', note.replace('PeterNeumann', 'Peter+Neumann')],
    ['a name with a space', note.replace('PeterNeumann', 'Peter Neumann')],
    ['base64 that is spelt otherwise', note.replace('wJnAM=', 'wJnAN=')],
    ['a signature that is too short', note.replace(/x08go\S+/, 'x08goA==')],
    ['101 signatures', note + published.signature.repeat(100)],
  ])('is refused with %s', (_, text) => {
    expect(() => openNote(text, verifierOf(published.key))).toThrow(NoteRefused);
  });

  it('cannot be made with a name or a text that the format forbids', () => {
    for (const text of ['', 'no line break', 'a\rb\n', 'half \udfff\n'])
      expect(() => signNote(text, peter)).toThrow(NoteRefused);
    for (const name of ['', 'a b', 'a+b', 'a\u00a0b', 'a\nb'])
      expect(() => signerOf(name, published.seed)).toThrow(NoteRefused);
    expect(() => signerOf('charter', Buffer.alloc(31))).toThrow(/32 bytes/);
  });
});

describe('Verifier key', () => {
  it('is refused if any one character is changed, if its end is missing, or if a line break follows it', () => {
    const bytes = Buffer.from(published.key);
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      expect(() => verifierOf(changed.toString())).toThrow(NoteRefused);
      expect(() => verifierOf(published.key.slice(0, index))).toThrow(NoteRefused);
    }
    expect(() => verifierOf(`${published.key}\n`)).toThrow(NoteRefused);
  });
});
