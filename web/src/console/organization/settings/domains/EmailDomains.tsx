import type { VerifiedDomain, VerifiedDomainPage } from '@charter/client';
import { useRef, useState } from 'react';
import { useStandingQuery } from '../../../api';
import commandStyles from '../../../commands/Command.module.css';
import { useRights } from '../../../commands/useRights';
import { useDrafting } from '../../../drafting/drafting-context';
import { isPastMoment } from '../../../moment/page-moment';
import { usePageMoment } from '../../../moment/usePageMoment';
import cardStyles from '../../../page-parts/Card.module.css';
import controlStyles from '../../../page-parts/Controls.module.css';
import { MoreButton } from '../../lists/MoreButton';
import { Region } from '../../../page-parts/Region';
import { useWords } from '../../../words';
import styles from '../../lists/List.module.css';
import { MomentLink } from '../../lists/MomentLink';
import { type DomainAction, DomainDialog } from './DomainDialog';
import { useEmailDomainPagesInfiniteQuery } from './email-domains';
import { OneDomain } from './OneDomain';

type Of = Readonly<{ id: string }>;

/** The section of the settings page about the domains of the organization's e-mail addresses. */
export function EmailDomains({ id }: Of) {
  const { text } = useWords();
  const { moment } = usePageMoment();
  const { data: standing } = useStandingQuery(id);
  const isPast = isPastMoment(moment);
  if (!standing) return null;
  // While the page shows the past, the person needs the right to audit instead of the right to read the domains.
  const mayRead = standing.reads.includes(isPast ? 'history' : 'verifiedDomains');
  return (
    <section className={cardStyles['card']} aria-labelledby="email-domains">
      <h2 id="email-domains">{text('email-domains.title')}</h2>
      {mayRead ? (
        <>
          <p>{text('email-domains.intro')}</p>
          {isPast && <p className={styles['note']}>{text('email-domains.past')}</p>}
          <DomainList id={id} />
          {standing.reads.includes('history') && (
            <p>
              <MomentLink to={`/org/${id}/history`} query={{ about: '/emailDomains' }}>
                {text('email-domains.events')}
              </MomentLink>
            </p>
          )}
        </>
      ) : (
        <p>{text('email-domains.no-right')}</p>
      )}
    </section>
  );
}

function DomainList({ id }: Of) {
  const { text } = useWords();
  const { moment } = usePageMoment();
  const query = useEmailDomainPagesInfiniteQuery({ id, moment });
  const { may } = useRights(id);
  const { isOpen: isDrafting } = useDrafting();
  const [action, setAction] = useState<DomainAction>();
  const [said, setSaid] = useState('');
  const status = useRef<HTMLParagraphElement>(null);
  const isWithdrawn = useRef(false);
  const begin = (next: DomainAction) => {
    setSaid('');
    setAction(next);
  };
  return (
    <>
      <Region<readonly VerifiedDomainPage[]>
        name={text('email-domains.title')}
        query={{ ...query, data: query.data?.pages, currentData: query.currentData?.pages }}
      >
        {(shown) => <Domains {...{ id, begin }} domains={shown.flatMap(({ domains }) => domains)} />}
      </Region>
      <MoreButton query={query}>{text('email-domains.more')}</MoreButton>
      {may('ClaimEmailDomain') && (
        <div className={commandStyles['buttons']}>
          <button
            type="button"
            className={controlStyles['button']}
            aria-haspopup="dialog"
            onClick={() => begin({ is: 'claim' })}
          >
            {text('email-domains.claim.menu')}
          </button>
        </div>
      )}
      {isDrafting && may('ReleaseEmailDomain') && (
        <p className={commandStyles['hint']}>{text('email-domains.direct')}</p>
      )}
      <p ref={status} role="status" tabIndex={-1}>
        {said}
      </p>
      {action && (
        <DomainDialog
          {...{ id, action }}
          onClose={() => {
            setAction(undefined);
            if (isWithdrawn.current) status.current?.focus(); // the button that opened this dialog disappears
            isWithdrawn.current = false;
          }}
          onDone={(words) => {
            isWithdrawn.current = action.is === 'withdraw';
            setSaid(words);
            void query.refetch(); // a check can change the state without an event
          }}
        />
      )}
    </>
  );
}

type ListOf = Of & Readonly<{ domains: readonly VerifiedDomain[]; begin: (action: DomainAction) => void }>;

function Domains({ id, domains, begin }: ListOf) {
  const { text } = useWords();
  if (domains.length === 0) return <p>{text('email-domains.none')}</p>;
  return domains.map((one) => <OneDomain key={one.domain} {...{ id, begin }} domain={one} />);
}
