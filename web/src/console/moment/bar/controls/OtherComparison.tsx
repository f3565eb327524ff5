import { Link } from 'react-router-dom';
import { useWords } from '../../../words';
import { isIsoMoment, isRevision, type PageMoment } from '../../page-moment';
import styles from '../TimeBar.module.css';

type ComparisonOf = Readonly<{
  id: string;
  moment: PageMoment;
  /** The value of the address parameter `vs`, which is neither `now` nor `none`. */
  other: string;
}>;

/**
 * Says that this page cannot show the comparison that the address asks for. If both compared moments are valid, links
 * to the page that shows this comparison.
 */
export function OtherComparison({ id, moment: { asOf, valid }, other }: ComparisonOf) {
  const { text } = useWords();
  const isEnd = isRevision(other) || isIsoMoment(other);
  const ends =
    asOf !== undefined && isEnd ? { from: other, to: asOf, ...(valid !== undefined && { valid }) } : undefined;
  return (
    <p className={styles['hint']}>
      {text('moment.vs.other')}{' '}
      {ends && (
        <Link to={{ pathname: `/org/${id}/compare`, search: new URLSearchParams(ends).toString() }}>
          {text('moment.vs.compare')}
        </Link>
      )}
    </p>
  );
}
