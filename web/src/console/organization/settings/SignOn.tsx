import type { SingleSignOn, Standing } from '@charter/client';
import type { ReactNode } from 'react';
import { useSingleSignOnQuery, useStandingQuery } from '../../api';
import { isPastMoment } from '../../moment/page-moment';
import { usePageMoment } from '../../moment/usePageMoment';
import cardStyles from '../../page-parts/Card.module.css';
import { CopyButton } from '../../page-parts/CopyButton';
import { Region } from '../../page-parts/Region';
import { useWords } from '../../words';
import styles from '../lists/List.module.css';
import { MomentLink } from '../lists/MomentLink';
import { SignOnChanges } from './SignOnChanges';

/** The organization's own sign-in provider. The service never returns the secret of the provider. */
export function SignOn({ id }: Readonly<{ id: string }>) {
  const { text } = useWords();
  const { moment } = usePageMoment();
  const { data: standing }: Readonly<{ data?: Standing }> = useStandingQuery(id);
  // While the page shows the past, the person needs the right to audit instead of the right to read single sign-on.
  const mayRead = standing?.reads.includes(isPastMoment(moment) ? 'history' : 'singleSignOn') === true;
  const answer = useSingleSignOnQuery({ id, moment }, { skip: !mayRead });
  if (!standing) return null;
  return (
    <section className={cardStyles['card']} aria-labelledby="sso">
      <h2 id="sso">{text('settings.sso')}</h2>
      {!mayRead && <p>{text('settings.sso.no-right')}</p>}
      {mayRead && (
        <Region<SingleSignOn> name={text('settings.sso')} query={answer}>
          {({ issuer, clientId, callback, start }) => (
            <>
              {issuer === null && <p>{text('settings.sso.none')}</p>}
              <dl className={styles['facts']}>
                {issuer !== null && (
                  <>
                    <Fact label={text('settings.sso.issuer')}>
                      <code>{issuer}</code>
                    </Fact>
                    <Fact label={text('settings.sso.client')}>
                      <code>{clientId}</code>
                    </Fact>
                    <Fact label={text('settings.sso.secret')}>{text('settings.sso.secret.hidden')}</Fact>
                  </>
                )}
                <dt>{text('settings.sso.callback')}</dt>
                <dd>
                  <code>{callback}</code> <CopyButton what={text('settings.sso.callback')} value={callback} />
                </dd>
                <dt>{text('settings.sso.start')}</dt>
                <dd>
                  <code>{start}</code> <CopyButton what={text('settings.sso.start')} value={start} />
                </dd>
              </dl>
              <p className={styles['note']}>{text('settings.sso.tried')}</p>
              <SignOnChanges {...{ id }} stored={{ issuer, clientId }} />
              {standing.reads.includes('history') && (
                <p>
                  <MomentLink to={`/org/${id}/history`} query={{ about: '/singleSignOn' }}>
                    {text('settings.sso.events')}
                  </MomentLink>
                </p>
              )}
            </>
          )}
        </Region>
      )}
    </section>
  );
}

/** A setting of the provider, which only owners may change. */
function Fact({ label, children }: Readonly<{ label: string; children: ReactNode }>) {
  const { text } = useWords();
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <span>{children}</span>
        <span className={styles['detail']}>{text('settings.takes.owners')}</span>
      </dd>
    </>
  );
}
