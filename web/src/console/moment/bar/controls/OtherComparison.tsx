import { Link, useLocation } from 'react-router-dom';
import { useEntitlementsQuery } from '../../../api';
import { organizationPages } from '../../../organization/organization-pages';
import { failureKind } from '../../../problem';
import { useWords } from '../../../words';
import { PRESENT } from '../../page-moment';
import { usePageMoment } from '../../usePageMoment';
import styles from '../TimeBar.module.css';

type ComparisonOf = Readonly<{
  id: string;
  /** The revision that the page shows. */
  revision: number;
  past: boolean;
}>;

/**
 * Links from a comparison with another moment to the page that shows all differences. Says if the history has no such
 * moment, or if the open page does not show a comparison.
 */
export default function OtherComparison({ id, revision, past }: ComparisonOf) {
  const { text } = useWords();
  const { moment, otherSide = '', comparedTo } = usePageMoment();
  const { asOf, valid } = moment;
  const [, , , page] = useLocation().pathname.split('/');
  const { error } = useEntitlementsQuery({ id, moment: comparedTo ?? PRESENT }, { skip: !comparedTo || !past });
  const isRefused = failureKind({ error }) === 'missing';
  if (!comparedTo || isRefused) return <p className={styles['hint']}>{text('moment.vs.unknown')}</p>;
  const isShown = past && organizationPages.some(({ path, compares }) => path === page && compares);
  const ends = { from: otherSide, to: asOf ?? String(revision), ...(valid !== undefined && { valid }) };
  return (
    <p className={styles['hint']}>
      {!isShown && text('moment.vs.other')}{' '}
      <Link to={{ pathname: `/org/${id}/compare`, search: new URLSearchParams(ends).toString() }}>
        {text('moment.vs.compare')}
      </Link>
    </p>
  );
}
