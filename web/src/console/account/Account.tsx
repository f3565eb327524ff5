import type { OwnAccount, SessionPage } from '@charter/client';
import { useMeQuery, useSessionsQuery } from '../api';
import cardStyles from '../page-parts/Card.module.css';
import styles from './Account.module.css';
import { Region } from '../page-parts/Region';
import { Title } from '../page-parts/Title';
import { useWords } from '../words';
import { OtherSessions, SessionRow } from './SessionList';
import { PasswordForm } from './PasswordForm';

/** The person's own account: names, sessions, and the password. */
export function AccountPage() {
  const { text, name } = useWords();
  const me = useMeQuery(undefined, { refetchOnFocus: true });
  const sessions = useSessionsQuery(undefined, { refetchOnFocus: true });
  return (
    <>
      <Title>{text('account.title')}</Title>
      <section className={cardStyles['card']} aria-labelledby="person">
        <h2 id="person">{text('account.person')}</h2>
        <Region<OwnAccount> name={text('account.person')} query={me}>
          {(person) => (
            <dl className={styles['facts']}>
              <Fact of={text('account.name')} is={person.name} />
              <Fact of={text('account.email')} is={person.email} />
              <Fact of={text('account.username')} is={person.username} />
              <Fact of={text('account.role')} is={person.role && name(person.role)} />
            </dl>
          )}
        </Region>
      </section>
      <section className={cardStyles['card']} aria-labelledby="sessions">
        <h2 id="sessions">{text('sessions.title')}</h2>
        <p className={cardStyles['caption']}>{text('sessions.about')}</p>
        <Region<SessionPage> name={text('sessions.title')} query={sessions}>
          {({ sessions: all }) => (
            <>
              <ul className={styles['rows']}>
                {all.map((session) => (
                  <SessionRow key={session.id} session={session} />
                ))}
              </ul>
              <OtherSessions areThere={all.length > 1} />
            </>
          )}
        </Region>
      </section>
      <section className={cardStyles['card']} aria-labelledby="password">
        <h2 id="password">{text('password.title')}</h2>
        <PasswordForm username={me.data?.email ?? me.data?.username ?? ''} />
      </section>
    </>
  );
}

function Fact({ of, is }: Readonly<{ of: string; is: string | null }>) {
  if (!is) return null;
  return (
    <div>
      <dt>{of}</dt>
      <dd>{is}</dd>
    </div>
  );
}
