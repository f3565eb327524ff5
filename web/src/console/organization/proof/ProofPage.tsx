import { Link, useParams } from 'react-router-dom';
import styles from '../../../proof/Proof.module.css';
import { useEntitlementsQuery, useStandingQuery } from '../../api';
import cardStyles from '../../page-parts/Card.module.css';
import { PRESENT } from '../../moment/page-moment';
import { usePageMoment } from '../../moment/usePageMoment';
import { useWords } from '../../words';
import { OrganizationFrame } from '../OrganizationFrame';
import { BrowserProofCard } from './BrowserProofCard';
import { ServerProofCards } from './ServerProofCards';

/** The four proofs of an organization's history: chain, signature, read model, and a check by this browser. */
export default function ProofPage() {
  const { id = '' } = useParams();
  const { text } = useWords();
  const { kept } = usePageMoment();
  const { data: standing } = useStandingQuery(id);
  const { data: present } = useEntitlementsQuery({ id, moment: PRESENT });
  if (standing && !standing.reads.includes('history'))
    return (
      <OrganizationFrame title={text('proof.title')} hasMoment={false}>
        {() => <p>{text('proof.no-right')}</p>}
      </OrganizationFrame>
    );
  return (
    <OrganizationFrame title={text('proof.title')} hasMoment={false}>
      {({ past }) => (
        <>
          {past && <p className={cardStyles['caption']}>{text('proof.until-now')}</p>}
          <div className={styles['cards']}>
            <ServerProofCards id={id} />
            <BrowserProofCard id={id} total={present && present.revision + 1} />
          </div>
          {standing?.reads.includes('readers') && (
            <p>
              <Link to={{ pathname: `/org/${id}/readers`, search: kept }}>{text('readers.link')}</Link>
            </p>
          )}
        </>
      )}
    </OrganizationFrame>
  );
}
