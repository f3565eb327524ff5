import { type ChangeEvent, type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { FileReport } from './FileReport';
import { KeyField, usePastedKey } from './KeyField';
import styles from './Proof.module.css';
import { ProofProgress } from './ProofProgress';
import { useFileCheck } from './useFileCheck';
import { useProofWords } from './useProofWords';
import { useSignerReport } from './useSignerReport';

type PageOf = Readonly<{
  product: string;
  /** The URL of a copy of this page in a single file; missing in the copy itself. */
  fileAddress?: string | undefined;
}>;

/** The public page that checks an exported file. The page makes no request, so it also works as a file from a disk. */
export function VerifyPage({ product, fileAddress }: PageOf) {
  const { text, number } = useProofWords();
  const [pasted, setPasted] = useState('');
  const { check, start, stop } = useFileCheck();
  const verdict = check.state === 'done' ? check.verdict : undefined;
  const signer = useSignerReport(verdict, { pasted: usePastedKey(pasted) });
  return (
    <>
      <header className={styles['brand']}>
        <span aria-hidden="true" />
        {product}
      </header>
      <main className={styles['page']}>
        <h1>{text('verify.title')}</h1>
        <p>{text('verify.about')}</p>
        <FileChoice onChoose={start} isBusy={check.state === 'running'} />
        <KeyField value={pasted} onChange={setPasted} />
        {check.state === 'running' && (
          <>
            <ProofProgress
              name={text('verify.checking', { name: check.name })}
              done={check.progress.events}
              share={check.size ? check.progress.bytes / check.size : 0}
              elapsed={check.elapsed}
            />
            <button type="button" className={styles['button']} onClick={stop}>
              {text('proof.stop')}
            </button>
          </>
        )}
        <div role="status">
          {check.state === 'stopped' && <p>{text('verify.stopped')}</p>}
          {check.state === 'failed' && (
            <p>{text(check.isUnsupported ? 'browser.no-cryptography' : 'verify.unreadable')}</p>
          )}
          {check.state === 'done' && (
            <>
              <FileReport verdict={check.verdict} signer={signer} />
              <p className={styles['small']}>
                <bdi>{check.name}</bdi> ·{' '}
                {text('browser.took', { seconds: number(Math.round(check.elapsed / 100) / 10) })}
              </p>
            </>
          )}
        </div>
        {fileAddress !== undefined && fileAddress !== '' && (
          <section aria-labelledby="keep">
            <h2 id="keep">{text('verify.keep')}</h2>
            <p>{text('verify.keep-about')}</p>
            <p>
              <a href={fileAddress} download="charter-verify.html">
                {text('verify.save')}
              </a>
            </p>
          </section>
        )}
      </main>
    </>
  );
}

type ChoiceOf = Readonly<{ onChoose: (file: File) => void; isBusy: boolean }>;

/** A field in which the person chooses a file, or onto which the person drops a file. */
function FileChoice({ onChoose, isBusy }: ChoiceOf) {
  const { text } = useProofWords();
  const [isOver, setOver] = useState(false);
  const [isReady, setReady] = useState(false); // before hydration, the field would lose a chosen file
  useEffect(() => setReady(true), []);
  const field = useId();
  const input = useRef<HTMLInputElement>(null);
  const choose = (file: File | undefined) => {
    if (file) onChoose(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (isBusy || !file) return;
    if (input.current) input.current.files = listOf(file);
    choose(file);
  };
  return (
    <div
      className={styles['drop']}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <label htmlFor={field}>{text('verify.file')}</label>
      <input
        {...{ ref: input, id: field, type: 'file', disabled: isBusy || !isReady }}
        onClick={({ currentTarget }) => {
          currentTarget.value = ''; // so that the person can choose the same file again
        }}
        onChange={({ target }: ChangeEvent<HTMLInputElement>) => choose(target.files?.[0])}
      />
      <p>{text('verify.drop')}</p>
    </div>
  );
}

/** A list of one file, in the form that the value of a field for files has. */
function listOf(file: File): FileList {
  const transfer = new DataTransfer();
  transfer.items.add(file);
  return transfer.files;
}
