import { randomUUID } from 'node:crypto';
import { NoteRefused, signerOf, signNote, verifierOf } from '@charter/integrity';
import { certificateOf, type Erasure, openCertificate } from './erasure-certificate';

const signer = signerOf('charter', Buffer.alloc(32, 1));
const known = verifierOf(signer.verifierKey);
const erasure: Erasure = {
  store: randomUUID(),
  account: randomUUID(),
  erased: '2026-11-21T10:00:00.000Z',
  by: { kind: 'system', id: 'command-line' },
  event: randomUUID(),
};

describe('Certificate of an erasure', () => {
  const certificate = certificateOf(erasure, signer);

  it("contains the erasure's data, and is the same each time Charter computes it", () => {
    expect(openCertificate(certificate, known)).toEqual(erasure);
    expect(certificateOf(erasure, signer)).toBe(certificate);
  });

  it('is refused if any character is changed, added or removed', () => {
    for (let at = 0; at < certificate.length; at += 1) {
      const [before, after] = [certificate.slice(0, at), certificate.slice(at + 1)];
      const other = certificate[at] === 'a' ? 'b' : 'a';
      for (const changed of [`${before}${other}${after}`, `${before}${after}`, `${before}a${certificate.slice(at)}`])
        expect(() => openCertificate(changed, known)).toThrow(NoteRefused);
    }
  });

  it('is refused if another key has signed it', () => {
    const other = signerOf('charter', Buffer.alloc(32, 2));
    expect(() => openCertificate(certificateOf(erasure, other), known)).toThrow(NoteRefused);
  });

  it('is refused if it is a signed checkpoint instead of a certificate', () => {
    const text = `charter/${erasure.store}\n12\n${Buffer.alloc(32).toString('base64')}\n`;
    expect(() => openCertificate(signNote(text, signer), known)).toThrow('not a certificate of an erasure');
  });
});
