import { useEventQuery } from '../../api';
import { TroubleBox } from '../../page-parts/TroubleBox';
import type { CallFailure } from '../../problem';
import { useWords } from '../../words';
import { isSameHash, readEvidence } from '../evidence';
import styles from './TimeBar.module.css';

/** The statuses with which the service refuses to show an event that the history does not have. */
const MISSING = [400, 404];

/**
 * Says whether the history is still the one with which the link was made: the event at the revision in the link must
 * exist, and its hash must begin as in the link.
 * @param text the parameter `head` of the address
 */
export function EvidenceNote({ id, text: given }: Readonly<{ id: string; text: string }>) {
  const { text } = useWords();
  const evidence = readEvidence(given);
  const { data, error, isFetching, refetch } = useEventQuery(
    { id, revision: evidence?.revision ?? 0 },
    { skip: evidence === undefined },
  );
  const failure = isFetching ? undefined : (error as CallFailure | undefined);
  const isMissing = failure ? MISSING.includes(failure.status) : data?.events.length === 0;
  if (failure && !isMissing)
    return <TroubleBox name={text('moment.evidence.name')} trouble={failure} retry={refetch} />;
  if (evidence && !data && !isMissing) return null; // the service has not answered yet
  const hash = data?.events[0]?.metadata?.hash;
  if (isMissing) return <Warning>{text('moment.evidence.other')}</Warning>;
  if (evidence === undefined || hash === undefined) return <Warning>{text('moment.evidence.unknown')}</Warning>;
  if (!isSameHash(evidence, hash)) return <Warning>{text('moment.evidence.other')}</Warning>;
  return (
    <p role="status" className={styles['hint']}>
      {text('moment.evidence.same')}
    </p>
  );
}

const Warning = ({ children }: Readonly<{ children: string }>) => (
  <p role="alert" className={styles['bad']}>
    {children}
  </p>
);
