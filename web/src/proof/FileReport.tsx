import type { FileVerdict } from './file-check/export-check';
import type { FlawCode } from './file-check/flaws';
import { shownText } from './file-check/shown-text';
import styles from './Proof.module.css';
import type { KeyTrust } from './remembered-key';
import { useProofWords } from './useProofWords';

/** The key that signed a file, and how much the person can rely on it. */
export type SignerReport = Readonly<{
  trust: KeyTrust;
  fingerprint: string;
  /** Stores this key on the device instead of the key stored before. Missing on a page that stores no key. */
  accept?: () => void;
}>;

type Sound = Extract<FileVerdict, { ok: true }>;
type Unsound = Extract<FileVerdict, { ok: false }>;

/** The result of the check of a file: what the file proves, or the first line with a flaw. */
export function FileReport({ verdict, signer }: Readonly<{ verdict: FileVerdict; signer?: SignerReport | undefined }>) {
  return verdict.ok ? <Verified verdict={verdict} signer={signer} /> : <Refused verdict={verdict} />;
}

/** A headline, and whether it reports a changed history. A cut or damaged file proves no change. */
type Headline = Readonly<{ id: string; isAlarm?: boolean; line?: number }>;

/** The flaws that concern the format of a line, and not the history that the line contains. */
const malformed: readonly FlawCode[] = ['empty', 'not-utf8', 'line-too-long', 'not-json', 'no-event'];

function headlineOf({ flaw: { code, line = 1 }, near }: Unsound): Headline {
  const isFormless = malformed.includes(code) || code === 'unfinished-line';
  if (isFormless && near.length === 0) return { id: 'report.no-export' };
  if (code === 'whole-log') return { id: 'report.whole-log' };
  if (malformed.includes(code)) return { id: 'report.damaged', line };
  if (code === 'unfinished-line') return { id: 'report.cut-within', line };
  if (code === 'no-checkpoint') return { id: 'report.cut-after', line: line - 1 };
  if (code === 'older') return { id: 'report.older' };
  if (code === 'other-source' || code === 'checkpoint-store') return { id: 'report.other-store' };
  return { id: 'report.refused', isAlarm: true };
}

function Refused({ verdict }: Readonly<{ verdict: Unsound }>) {
  const { text, number, second, flaw: sentence } = useProofWords();
  const { flaw, near } = verdict;
  const { id, isAlarm, line: place = 0 } = headlineOf(verdict);
  return (
    <div className={styles['report']} data-state={isAlarm ? 'bad' : 'warn'}>
      <p className={styles['headline']}>{text(id, { line: number(place) })}</p>
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
                  #{number(revision)} <bdi>{shownText(type)}</bdi>
                </td>
                <td>
                  <bdi>{shownText(second(at))}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

/** The headline over a file without a flaw, if the person cannot rely on the key. */
const headlines: Partial<Readonly<Record<KeyTrust['kind'], string>>> = {
  'other-than-pasted': 'trust.other-than-pasted',
  'other-than-published': 'trust.other-than-published',
  changed: 'trust.changed',
  'not-trusted': 'trust.not-trusted',
};

function Verified({ verdict, signer }: Readonly<{ verdict: Sound; signer?: SignerReport | undefined }>) {
  const { text, number, second } = useProofWords();
  const { events, head, signed, stream } = verdict;
  const doubt = signer && headlines[signer.trust.kind];
  const since = signer && 'since' in signer.trust ? second(signer.trust.since) : '';
  const isProved = signed !== undefined && signer !== undefined && !doubt;
  return (
    <div className={styles['report']} data-state={stateOf(signer)}>
      {doubt && <p className={styles['headline']}>{text(doubt, { since })}</p>}
      <p className={doubt ? undefined : styles['headline']}>
        {text(isProved ? 'report.verified' : signed ? 'report.consistent' : 'report.chain', { events: number(events) })}
      </p>
      {signer && !doubt && <p>{text(`trust.${signer.trust.kind}`, { since })}</p>}
      {signer?.trust.kind === 'not-trusted' && <p>{text('report.compare')}</p>}
      <dl className={styles['facts']}>
        <dt>{text('report.stream')}</dt>
        <dd>
          <bdi>{shownText(stream)}</bdi>
        </dd>
        <dt>{text('report.head')}</dt>
        <dd>{head}</dd>
        {signed && (
          <>
            <dt>{text('report.signed')}</dt>
            <dd>
              <bdi>{shownText(second(signed.checkpoint.at))}</bdi>
            </dd>
            <dt>{text('report.store')}</dt>
            <dd>
              <bdi>{shownText(signed.checkpoint.store)}</bdi>
            </dd>
            <dt>{text('report.key')}</dt>
            <dd>
              <bdi>{shownText(signed.key)}</bdi>
            </dd>
          </>
        )}
        {signer && (
          <>
            <dt>{text('report.fingerprint')}</dt>
            <dd>{signer.fingerprint.replace(/(.{4})(?=.)/g, '$1 ')}</dd>
          </>
        )}
      </dl>
      {signer?.trust.kind === 'changed' && signer.accept && (
        <button type="button" className={styles['button']} onClick={signer.accept}>
          {text('trust.accept')}
        </button>
      )}
    </div>
  );
}

/** The report is green only if the person can rely on the key. */
function stateOf(signer: SignerReport | undefined): 'ok' | 'warn' | 'bad' | undefined {
  if (!signer) return undefined; // the page has not compared the key yet, or the events have no signature
  const { kind } = signer.trust;
  if (kind === 'not-trusted') return 'warn';
  return headlines[kind] ? 'bad' : 'ok';
}
