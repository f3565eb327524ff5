import type { FileVerdict } from './file-check/export-check';
import styles from './Proof.module.css';
import type { KeyTrust } from './remembered-key';
import { useProofWords } from './useProofWords';

/** The key that signed a file, and how much the person can rely on it. */
export type SignerReport = Readonly<{
  trust: KeyTrust;
  fingerprint: string;
  /** Stores this key on the device, in place of the stored key. */
  accept: () => void;
}>;

type Sound = Extract<FileVerdict, { ok: true }>;
type Unsound = Extract<FileVerdict, { ok: false }>;

/** The result of a check: what the file proves, or the line at which the first check fails. */
export function FileReport({ verdict, signer }: Readonly<{ verdict: FileVerdict; signer?: SignerReport | undefined }>) {
  return verdict.ok ? <Verified verdict={verdict} signer={signer} /> : <Refused verdict={verdict} />;
}

function Refused({ verdict: { flaw, near } }: Readonly<{ verdict: Unsound }>) {
  const { text, number, utc, flaw: sentence } = useProofWords();
  return (
    <div className={styles['report']} data-state="bad">
      <p className={styles['headline']}>{text('report.refused')}</p>
      <p>{sentence(flaw)}</p>
      {near.length > 0 && (
        <table className={styles['near']}>
          <caption>{text('report.near')}</caption>
          <thead>
            <tr>
              <th scope="col">{text('report.line')}</th>
              <th scope="col">{text('report.event')}</th>
              <th scope="col">{text('report.recorded')}</th>
            </tr>
          </thead>
          <tbody>
            {near.map(({ line, revision, type, at }) => (
              <tr key={line} data-state={line === flaw.line ? 'bad' : undefined}>
                <td>{number(line)}</td>
                <td>
                  #{number(revision)} <bdi>{type.slice(0, LONGEST)}</bdi>
                </td>
                <td>{utc(at).slice(0, LONGEST)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

/** The maximum number of characters that the page shows of a text from a file. */
const LONGEST = 200;

const headlines: Partial<Readonly<Record<KeyTrust['kind'], string>>> = {
  'other-than-pasted': 'trust.other-than-pasted',
  'other-than-published': 'trust.other-than-published',
  changed: 'trust.changed',
};

function Verified({ verdict, signer }: Readonly<{ verdict: Sound; signer?: SignerReport | undefined }>) {
  const { text, number, utc } = useProofWords();
  const { events, head, signed, stream } = verdict;
  const alarm = signer && headlines[signer.trust.kind];
  const since = signer && 'since' in signer.trust ? utc(signer.trust.since) : '';
  return (
    <div className={styles['report']} data-state={alarm ? 'bad' : 'ok'}>
      {alarm && <p className={styles['headline']}>{text(alarm, { since })}</p>}
      <p className={alarm ? undefined : styles['headline']}>
        {text(signed ? 'report.verified' : 'report.chain', { events: number(events) })}
      </p>
      {signer && !alarm && <p>{text(`trust.${signer.trust.kind}`, { since })}</p>}
      <dl className={styles['facts']}>
        <dt>{text('report.stream')}</dt>
        <dd>{stream}</dd>
        <dt>{text('report.head')}</dt>
        <dd>{head}</dd>
        {signed && (
          <>
            <dt>{text('report.signed')}</dt>
            <dd>{utc(signed.checkpoint.at)}</dd>
            <dt>{text('report.store')}</dt>
            <dd>{signed.checkpoint.store}</dd>
            <dt>{text('report.key')}</dt>
            <dd>{signed.key}</dd>
          </>
        )}
        {signer && (
          <>
            <dt>{text('report.fingerprint')}</dt>
            <dd>{signer.fingerprint.replace(/(.{4})(?=.)/g, '$1 ')}</dd>
          </>
        )}
      </dl>
      {signer?.trust.kind === 'changed' && (
        <button type="button" className={styles['button']} onClick={signer.accept}>
          {text('trust.accept')}
        </button>
      )}
    </div>
  );
}
