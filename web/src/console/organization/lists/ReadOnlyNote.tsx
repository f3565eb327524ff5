import { useOrganizationQuery, useStandingQuery } from '../../api';
import { isPastMoment, PRESENT } from '../../moment/page-moment';
import { usePageMoment } from '../../moment/usePageMoment';
import { useWords } from '../../words';
import { useOwnerNames } from '../members/useOwnerNames';
import styles from './List.module.css';

/** Says, while the page shows the present, that the organization is closed, or that the person may make no change. */
export function ReadOnlyNote({ id }: Readonly<{ id: string }>) {
  const { text } = useWords();
  const { moment } = usePageMoment();
  const { data: standing } = useStandingQuery(id);
  const { data: document } = useOrganizationQuery({ id, moment: PRESENT });
  if (!standing || !document || isPastMoment(moment)) return null;
  if (document.closed) return <p className={styles['note']}>{text('read-only.closed')}</p>;
  return standing.may.length === 0 ? <AskToChange id={id} /> : null;
}

function AskToChange({ id }: Readonly<{ id: string }>) {
  const { text, oneOf } = useWords();
  const owners = useOwnerNames(id);
  return (
    <p className={styles['note']}>
      {owners.length > 0 ? text('read-only.ask', { owners: oneOf(owners) }) : text('read-only')}
    </p>
  );
}
