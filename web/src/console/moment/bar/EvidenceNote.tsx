import { useEventQuery } from '../../api';
import { MomentLink } from '../../organization/lists/MomentLink';
import { TroubleBox } from '../../page-parts/TroubleBox';
import { type CallFailure, failureKind } from '../../problem';
import { useWords } from '../../words';
import { type Evidence, isSameHash, readEvidence, shownDigits } from '../evidence';
import styles from './TimeBar.module.css';

type NoteOf = Readonly<{
  id: string;
  /** The last revision of the history. */
  head: number;
  text: string;
}>;

/**
 * Says whether the history is still the same as when the link was made. The link contains a revision and the beginning
 * of a hash. The event at this revision must exist, and its hash must begin in this way.
 * @param text the parameter `head` of the address
 */
export default function EvidenceNote({ id, head, text: given }: NoteOf) {
  const { text } = useWords();
  const evidence = readEvidence(given);
  const query = useEventQuery({ id, revision: evidence?.revision ?? 0 }, { skip: evidence === undefined });
  const { data, error, refetch } = query;
  const failure = failureKind(query);
  const isMissing = failure ? failure === 'missing' : data?.events.length === 0;
  if (failure && !isMissing)
    return <TroubleBox name={text('moment.evidence.name')} trouble={error as CallFailure} retry={refetch} />;
  if (evidence && !data && !isMissing) return null; // the service has not answered yet
  const hash = data?.events[0]?.metadata?.hash;
  if (isMissing) return <OtherHistory {...{ id, evidence, head }} />;
  if (evidence === undefined || hash === undefined) return <Warning>{text('moment.evidence.unknown')}</Warning>;
  if (!isSameHash(evidence, hash)) return <OtherHistory {...{ id, evidence, head, hash }} />;
  return (
    <p role="status" className={styles['hint']}>
      {text('moment.evidence.same')}
    </p>
  );
}

type OtherOf = Pick<NoteOf, 'id' | 'head'> &
  Readonly<{
    evidence: Evidence | undefined;
    /** The hash of the event; undefined if the history has no such event. */
    hash?: string;
  }>;

/** Says that the link was made with another history, and what differs. */
function OtherHistory({ id, evidence, head, hash }: OtherOf) {
  const { text, number } = useWords();
  if (evidence === undefined) return null;
  const { revision, digits } = evidence;
  const found = { revision: number(revision), wanted: digits };
  return (
    <div role="alert" className={styles['bad']}>
      <p>{text('moment.evidence.other')}</p>
      {hash === undefined ? (
        <p>{text('moment.evidence.ends', { ...found, last: number(head) })}</p>
      ) : (
        <p>
          {text('moment.evidence.hashes', { ...found, found: shownDigits(hash) })}{' '}
          <MomentLink to={`/org/${id}/history/${revision}`}>{text('moment.evidence.event')}</MomentLink>
        </p>
      )}
    </div>
  );
}

const Warning = ({ children }: Readonly<{ children: string }>) => (
  <p role="alert" className={styles['bad']}>
    {children}
  </p>
);
