import type { NotificationRecipients, OrganizationDocument } from '@charter/client';
import { lazy, type ReactNode, Suspense } from 'react';
import { useParams } from 'react-router-dom';
import { useRecipientsQuery, useStandingQuery } from '../../api';
import { useRights } from '../../commands/useRights';
import { usePageMoment } from '../../moment/usePageMoment';
import { useConsoleConfig } from '../../page-config-context';
import { ValuesOf } from '../../overview/Why';
import { WhyDetails } from '../../overview/WhyDetails';
import cardStyles from '../../page-parts/Card.module.css';
import { Region } from '../../page-parts/Region';
import { useWords } from '../../words';
import { EventDay } from '../lists/EventDay';
import styles from '../lists/List.module.css';
import { MomentLink } from '../lists/MomentLink';
import { TypedText } from '../lists/TypedText';
import { PersonName } from '../members/PersonName';
import { useMemberNames } from '../members/useMemberNames';
import { type OrganizationAnswers, OrganizationFrame } from '../OrganizationFrame';
import { parallelUseIn, productIn } from './product-fields';
import { useGeneralChanges } from './useGeneralChanges';

const LastValueChange = lazy(() => import('../../overview/LastValueChange'));
const SignInSettings = lazy(() => import('./SignInSettings'));

type SettingsOf = OrganizationAnswers & Readonly<{ document: OrganizationDocument }>;

/** The settings of an organization, each with the roles that may change the setting. */
export default function SettingsPage() {
  const { text } = useWords();
  return (
    <OrganizationFrame title={text('settings.title')}>
      {(answers) => (
        <>
          <Card title={text('settings.general')} id="general">
            <Region<OrganizationDocument> name={text('settings.general')} query={answers.organization}>
              {(document) => <General {...answers} document={document} />}
            </Region>
          </Card>
          <Card title={text('settings.recipients')} id="recipients">
            <Recipients {...answers} />
          </Card>
          <Suspense fallback={null}>
            <SignInSettings id={answers.id} />
          </Suspense>
        </>
      )}
    </OrganizationFrame>
  );
}

function Card({ id, title, children }: Readonly<{ id: string; title: string; children: ReactNode }>) {
  return (
    <section className={cardStyles['card']} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

type FactOf = Readonly<{
  label: string;
  takes: string;
  /**
   * The path of the value in the organization's document. The page uses the path for the last change of the setting and
   * for the link to all earlier values.
   */
  path?: string;
  /** The control that changes the setting; undefined if the person may not change it. */
  control?: ReactNode;
  children: ReactNode;
}>;

/** A setting with its value, the roles that may change it, and its control. */
function Fact({ label, takes, path, control, children }: FactOf) {
  const { text } = useWords();
  const { id = '' } = useParams();
  const { data: standing } = useStandingQuery(id);
  const mayRead = standing?.reads.includes('history') === true;
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <span>{children}</span>
        <span className={styles['detail']}>{takes}</span>
        {path !== undefined && mayRead && (
          <WhyDetails
            of={path.slice(1)}
            summary={
              <>
                {text('settings.last-change')} <span className="unseen">({label})</span>
              </>
            }
            later={<LastValueChange path={path} />}
          >
            <ValuesOf path={path} of={label} />
          </WhyDetails>
        )}
        {control}
      </dd>
    </>
  );
}

function General({ id, document, other }: SettingsOf) {
  const { text, compared } = useWords();
  const { facts } = useConsoleConfig();
  const { product, productKey } = facts;
  const there = other?.document;
  const isOn = (of: OrganizationDocument) => text(productIn(of, productKey) ? 'features.on' : 'features.off');
  const parallelUse = (of: OrganizationDocument) => text(parallelUseWords(parallelUseIn(of, productKey)));
  const isClosed = (of: OrganizationDocument) => text(of.closed ? 'settings.closed.yes' : 'settings.closed.no');
  const { closure } = document;
  const controls = useGeneralChanges({ id, document });
  const byAdministrators = text('settings.takes.administrators');
  const byOperators = text('settings.takes.operators');
  return (
    <dl className={styles['facts']}>
      <Fact label={text('settings.name')} takes={byAdministrators} path="/name" control={controls.name}>
        <bdi>{compared(document.name, there?.name)}</bdi>
      </Fact>
      <Fact
        label={text('settings.product', { product })}
        takes={byOperators}
        path={`/${productKey}`}
        control={controls.product}
      >
        {compared(isOn(document), there && isOn(there))}
      </Fact>
      <Fact
        label={text('settings.parallel-use')}
        takes={byAdministrators}
        path={`/${productKey}Details/parallelUse`}
        control={controls.parallelUse}
      >
        {compared(parallelUse(document), there && parallelUse(there))}
      </Fact>
      <Fact label={text('settings.closed')} takes={byOperators} path="/closure" control={controls.closed}>
        {compared(isClosed(document), there && isClosed(there))}
        {closure && (
          <>
            :{' '}
            <q>
              <TypedText>{closure.reason}</TypedText>
            </q>{' '}
            <EventDay {...closure} />
          </>
        )}
      </Fact>
    </dl>
  );
}

function parallelUseWords(parallelUse: boolean | null): string {
  if (parallelUse === null) return 'settings.parallel-use.unset';
  return parallelUse ? 'settings.parallel-use.yes' : 'settings.parallel-use.no';
}

/** The members who get notifications at the page's moment, and the rule that selects them. */
function Recipients({ id, past }: OrganizationAnswers) {
  const { text } = useWords();
  const { facts } = useConsoleConfig();
  const { moment } = usePageMoment();
  const answer = useRecipientsQuery({ id, moment });
  const nameOf = useMemberNames(id);
  const { may } = useRights(id);
  return (
    <>
      <p>{text('settings.recipients.rule', { product: facts.product })}</p>
      {(may('FlagProductUser') || may('ChangeParallelUse')) && (
        <p className={styles['note']}>
          {text('settings.recipients.change', { product: facts.product })}{' '}
          <MomentLink to={`/org/${id}/members`}>{text('members.title')}</MomentLink>
        </p>
      )}
      {past && <p className={styles['note']}>{text('moment.names-of-today')}</p>}
      <Region<NotificationRecipients> name={text('settings.recipients')} query={answer}>
        {({ recipients }) => (
          <>
            <p className={styles['note']}>{text('settings.recipients.count', { count: recipients.length })}</p>
            <ul className={styles['rows']}>
              {recipients.slice(0, SHOWN_RECIPIENTS).map((recipient) => (
                <li key={recipient}>
                  <MomentLink to={`/org/${id}/members/${recipient}`}>
                    <PersonName member={nameOf(recipient)} />
                  </MomentLink>
                </li>
              ))}
            </ul>
            {recipients.length > SHOWN_RECIPIENTS && (
              <p className={styles['note']}>
                {text('settings.recipients.more', { left: recipients.length - SHOWN_RECIPIENTS })}
              </p>
            )}
          </>
        )}
      </Region>
    </>
  );
}
const SHOWN_RECIPIENTS = 50;
