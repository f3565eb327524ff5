import { useEffect, useState } from 'react';
import type { FileVerdict } from './file-check/export-check';
import type { SignerReport } from './FileReport';
import { fingerprintOf, rememberedKey, rememberKey, trustOf } from './remembered-key';

/**
 * The key that the service publishes; missing if the service publishes none. `isAsked`: the page's request for this key
 * has ended.
 */
export type PublishedKey = Readonly<{ isAsked: boolean; key?: string | undefined }>;

type Known = Readonly<{
  /** The key that the person pasted; empty without one, and undefined if the text in the field is no key. */
  pasted: string | undefined;
  /**
   * Missing on the public page, which sends no request. The public page stores no key, because an attacker may have
   * made the file.
   */
  service?: PublishedKey | undefined;
}>;

/**
 * Compares the key of a verified file with three keys: the pasted key, the published key, and the key that this device
 * stores. The device stores another key only if the service publishes this key, or if the person has pasted or accepted
 * it.
 */
export function useSignerReport(
  verdict: FileVerdict | undefined,
  { pasted, service }: Known,
): SignerReport | undefined {
  const [report, setReport] = useState<SignerReport>();
  const signed = verdict?.ok ? verdict.signed : undefined;
  const isStoring = service !== undefined;
  const isWaiting = service?.isAsked === false && pasted === '';
  const published = service?.key;
  const [accepted, setAccepted] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    setReport(undefined);
    if (!signed || isWaiting) return;
    const { key } = signed;
    void fingerprintOf(key).then((fingerprint) => {
      if (!isCurrent) return;
      const remembered = rememberedKey();
      const trust = trustOf({ text: key, fingerprint }, { pasted, published, remembered });
      if (!isStoring) {
        setReport({ trust, fingerprint });
        return;
      }
      const remember = () => rememberKey({ fingerprint, since: new Date().toISOString() });
      if (trust.kind === 'first' || (trust.kind === 'trusted' && !remembered)) remember();
      const accept = () => {
        remember();
        setAccepted((count) => count + 1);
      };
      setReport({ trust, fingerprint, accept });
    });
    return () => {
      isCurrent = false;
    };
  }, [signed, isWaiting, isStoring, pasted, published, accepted]);
  return report;
}
