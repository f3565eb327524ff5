import { useEffect, useState } from 'react';
import type { FileVerdict } from './file-check/export-check';
import type { SignerReport } from './FileReport';
import { fingerprintOf, rememberedKey, rememberKey, trustOf } from './remembered-key';

type Known = Readonly<{
  /** The key that the person pasted; empty without one. */
  pasted: string;
  /** The key that the service publishes; absent on pages without a service. */
  published?: string | undefined;
  /** The name under which the device stores the key. If absent, it is the store that the file names. */
  scope?: string;
}>;

/**
 * The key of a verified file, compared with the keys that the person and this device know. The device stores a key that
 * it sees for the first time.
 */
export function useSignerReport(verdict: FileVerdict | undefined, known: Known): SignerReport | undefined {
  const [report, setReport] = useState<SignerReport>();
  const signed = verdict?.ok ? verdict.signed : undefined;
  const { pasted, published, scope = signed?.checkpoint.store } = known;
  const [accepted, setAccepted] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    setReport(undefined);
    if (!signed || scope === undefined) return;
    const { key } = signed;
    void fingerprintOf(key).then((fingerprint) => {
      if (!isCurrent) return;
      const remembered = rememberedKey(localStorage, scope);
      const remember = () => rememberKey(localStorage, scope, { fingerprint, since: new Date().toISOString() });
      const trust = trustOf({ text: key, fingerprint }, { pasted, published, remembered });
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
  }, [signed, scope, pasted, published, accepted]);
  return report;
}
