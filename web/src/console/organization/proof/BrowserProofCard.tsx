import { useEffect, useId, useMemo, useState } from 'react';
import { FileReport, type SignerReport } from '../../../proof/FileReport';
import { KeyField, usePastedKey } from '../../../proof/KeyField';
import styles from '../../../proof/Proof.module.css';
import { ProofProgress } from '../../../proof/ProofProgress';
import { type PublishedKey, useSignerReport } from '../../../proof/useSignerReport';
import type { ProofResult } from '../../../proof/worker-messages';
import cardStyles from '../../page-parts/Card.module.css';
import controlStyles from '../../page-parts/Controls.module.css';
import { TroubleBox } from '../../page-parts/TroubleBox';
import { fetchLogged } from '../../requests/fetch-logged';
import { useWords } from '../../words';
import { ProofCard } from './ServerProofCards';
import { type BrowserProof, useBrowserProof } from './useBrowserProof';

type CardOf = Readonly<{
  id: string;
  /** The number of events that the page knows. The export must contain at least this number of events. */
  total: number | undefined;
}>;

/**
 * The check in this browser. A worker fetches and checks the export, and the page compares the key that signed the
 * export with the keys that the page knows.
 */
export function BrowserProofCard({ id, total }: CardOf) {
  const { text, number } = useWords();
  const { proof, start, stop } = useBrowserProof(id);
  const [pasted, setPasted] = useState('');
  const [keeps, setKeeps] = useState(false);
  const keep = useId();
  const [startCount, setStartCount] = useState(0);
  const verify = () => {
    setStartCount(startCount + 1);
    start(keeps, total);
  };
  const service = usePublishedKey(startCount);
  const result = proof.state === 'done' ? proof.result : undefined;
  const verdict = result && 'verdict' in result ? result.verdict : undefined;
  const signer = useSignerReport(verdict, { pasted: usePastedKey(pasted), service });
  const isRunning = proof.state === 'running';
  return (
    <ProofCard name={text('browser.title')} {...stateOf(proof, signer, text)}>
      <p className={cardStyles['caption']}>{text('browser.about')}</p>
      <KeyField value={pasted} onChange={setPasted} />
      <p>
        <input type="checkbox" id={keep} checked={keeps} onChange={({ target }) => setKeeps(target.checked)} />{' '}
        <label htmlFor={keep}>{text('browser.keep')}</label>
      </p>
      {proof.state === 'running' && (
        <ProofProgress
          name={text('browser.title')}
          done={proof.progress.events}
          total={total}
          elapsed={proof.elapsed}
        />
      )}
      <div role="status">
        {result && <Result {...{ result, signer }} retry={verify} />}
        {proof.state === 'done' && result?.kind === 'checked' && (
          <p className={cardStyles['caption']}>
            {text('browser.took', { seconds: number(Math.round(proof.elapsed / 100) / 10) })}
          </p>
        )}
      </div>
      {result?.kind === 'checked' && result.file && <SaveFile id={id} file={result.file} />}
      <p className={styles['buttons']}>
        {isRunning ? (
          <button type="button" className={controlStyles['button']} onClick={stop}>
            {text('proof.stop')}
          </button>
        ) : (
          <button type="button" className={controlStyles['button']} onClick={verify}>
            {text('browser.start')}
          </button>
        )}
      </p>
      <p className={cardStyles['caption']}>
        {text('browser.recorded')} <a href="/verify">{text('verify.link')}</a>
      </p>
    </ProofCard>
  );
}

function stateOf(proof: BrowserProof, signer: SignerReport | undefined, text: ReturnType<typeof useWords>['text']) {
  if (proof.state === 'running') return { state: 'off', word: text('state.running') } as const;
  if (proof.state === 'stopped') return { state: 'off', word: text('state.stopped') } as const;
  if (proof.state !== 'done' || !('verdict' in proof.result))
    return { state: 'off', word: text('state.not-checked') } as const;
  const { verdict } = proof.result;
  if (!verdict.ok && verdict.flaw.code === 'older') return { state: 'warn', word: text('state.incomplete') } as const;
  if (!verdict.ok) return { state: 'bad', word: text('state.broken') } as const;
  if (proof.result.kind === 'refused') return { state: 'bad', word: text('state.refused') } as const;
  if (!signer) return { state: 'off', word: text('state.running') } as const; // the key is not compared yet
  const { kind } = signer.trust;
  if (kind === 'trusted') return { state: 'on', word: text('state.trusted') } as const;
  if (kind === 'not-trusted') return { state: 'warn', word: text('state.not-trusted') } as const;
  return kind === 'known' || kind === 'first'
    ? ({ state: 'on', word: text('state.verified') } as const)
    : ({ state: 'bad', word: text('state.other-key') } as const);
}

type ResultOf = Readonly<{ result: ProofResult; signer: SignerReport | undefined; retry: () => void }>;

function Result({ result, signer, retry }: ResultOf) {
  const { text, number } = useWords();
  if (result.kind === 'no-cryptography') return <p>{text('browser.no-cryptography')}</p>;
  if (result.kind === 'interrupted') return <p>{text('browser.interrupted')}</p>;
  if (result.kind === 'checked') return <FileReport verdict={result.verdict} signer={signer} />;
  const { refusal, verdict } = result;
  if (refusal.reason !== 'broken-chain')
    return <TroubleBox name={text('browser.title')} trouble={refusal} retry={retry} />;
  return (
    <>
      <p>{text('browser.refused', { revision: number(refusal.at ?? 0), reason: refusal.why })}</p>
      {verdict && <FileReport verdict={verdict} />}
    </>
  );
}

/** The key that the service publishes. At each start of a check, the page requests this key while the worker runs. */
function usePublishedKey(startCount: number): PublishedKey {
  const [published, setPublished] = useState<PublishedKey>({ isAsked: false });
  useEffect(() => {
    if (startCount === 0) return;
    setPublished({ isAsked: false });
    const controller = new AbortController();
    const { signal } = controller;
    const ask = async () => {
      const answer = await fetchLogged('/.well-known/charter-checkpoint-key', { signal });
      const key = answer.ok ? (await answer.text()).trim() : '';
      return key === '' ? undefined : key;
    };
    void ask()
      .catch(() => undefined) // without an answer, the key in the export is not trusted
      .then((key) => {
        if (!signal.aborted) setPublished({ isAsked: true, key });
      });
    return () => controller.abort();
  }, [startCount]);
  return published;
}

function SaveFile({ id, file }: Readonly<{ id: string; file: Blob }>) {
  const { text } = useWords();
  const address = useMemo(() => URL.createObjectURL(file), [file]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return (
    <p>
      <a href={address} download={`organization-${id}.ndjson`}>
        {text('browser.save')}
      </a>
    </p>
  );
}
