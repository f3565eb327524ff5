import { useEffect, useState } from 'react';
import type { FileVerdict } from './file-check/export-check';
import type { SignerReport } from './FileReport';
import { fingerprintOf, rememberedKey, rememberKey, trustOf } from './remembered-key';

/**
 * The key that the service publishes; absent if the service answers without a key. `isAsked`: the page has requested
 * the key, and the request has ended.
 */
export type PublishedKey = Readonly<{ isAsked: boolean; key?: string | undefined }>;

type Known = Readonly<{
  /** The key that the person pasted; empty without one. */
  pasted: string;
  /**
   * Absent on the public page, which sends no request. That page stores no key, because an attacker can have made the
   * file.
   */
  service?: PublishedKey | undefined;
}>;

/**
 * The key of a verified file, compared with the keys that the person, the service and this device know. The device
 * stores a key that the service publishes or that the person pasted.
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
