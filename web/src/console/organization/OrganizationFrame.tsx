import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { useParams } from 'react-router-dom';
import { useStandingQuery } from '../api';
import { useHasPendingChanges } from '../commands/pending/has-pending-changes';
import { lastOrganizations } from '../last-organizations';
import { isPastMoment } from '../moment/page-moment';
import { useOrganizationAnswers } from '../moment/scrubbing';
import { usePageMoment } from '../moment/usePageMoment';
import { useConsoleConfig } from '../page-config-context';
import controlStyles from '../page-parts/Controls.module.css';
import styles from './OrganizationFrame.module.css';
import { UnreadableHistory } from './UnreadableHistory';
import { answerOf, isFirstLoad } from '../page-parts/answer-of';
import { Title } from '../page-parts/Title';
import { Waits } from '../page-parts/Region';
import { TroubleBox } from '../page-parts/TroubleBox';
import { type CallFailure, failureKind, isCallFailure } from '../problem';
import { useWords } from '../words';

const PastProblem = lazy(() => import('../moment/PastProblem'));
const PendingChanges = lazy(() => import('../commands/pending/PendingChanges'));

export type OrganizationAnswers = ReturnType<typeof useOrganizationAnswers> & Readonly<{ id: string }>;

type PageOf = Readonly<{
  /** The name of the page in the title of the browser tab. */
  title: string;
  /** Returns the heading of the page; without this function, the heading is `title`. */
  heading?: (answers: OrganizationAnswers) => string | undefined;
  /** False if the page shows the same at every moment, so that its title names no moment. */
  hasMoment?: boolean;
  /**
   * For a button beside the heading of the page: the HTML id of a heading far down the page, and the text of the
   * button. The button moves the focus to that heading. At a past moment, the page has no such button.
   */
  jump?: readonly [id: string, text: string] | undefined;
  children: (answers: OrganizationAnswers) => ReactNode;
}>;

const FORBIDDEN = 403;
/** A placeholder for the heading in the text of a message. No message contains this character. */
const HEADING = '\u0000';

/**
 * The frame of a page that shows an organization at the moment in the address. The frame handles a missing
 * organization, a moment that does not exist and a failure of the whole page. Each part below handles its own loading
 * and failure.
 */
export function OrganizationFrame({ title, heading, hasMoment = true, jump, children }: PageOf) {
  const { id = '' } = useParams();
  const hasPending = useHasPendingChanges();
  const { isUnreadable, moment } = usePageMoment();
  const current = { id, ...useOrganizationAnswers(id) };
  const rights = useStandingQuery(id);
  const paused = [current.organization, current.entitlements, rights].filter(isPaused);
  const answers = {
    ...current,
    organization: waiting(current.organization),
    entitlements: waiting(current.entitlements),
  };
  const { text, number, second } = useWords();
  const { organization, entitlements, past, present, presentName } = answers;
  const { error } = organization;
  const data = answerOf(organization);
  const { account } = useConsoleConfig().facts;
  useEffect(() => {
    if (presentName !== undefined) lastOrganizations.add(account, { id, name: presentName });
  }, [account, id, presentName]);

  // The rights can be missing, for example because the person was removed while the page is open.
  if (isMissing(rights.error)) return <Missing />;
  if (isUnreadable) return <PastProblem />;
  if (isCallFailure(error) && error.status === FORBIDDEN && isPastMoment(moment))
    return <PastProblem failure={error} />;
  if (isMissing(error)) {
    if (present?.data) return <PastProblem failure={error} />;
    if (!present || isMissing(present.error)) return <Missing />;
    if (present.isError)
      return <Unavailable title={title} trouble={present.error as CallFailure} retry={present.refetch} />;
    return <p className="unseen">{text('moment.loading')}</p>;
  }
  if (isUnreadableHistory(error)) return <UnreadableHistory title={title} revision={error.problem.revision} />;
  if (!data && error && entitlements.error && !organization.isFetching) {
    const again = () => Promise.all([organization, entitlements, rights].map(({ refetch }) => refetch()));
    return <Unavailable title={title} trouble={error as CallFailure} retry={again} />;
  }
  // While the answer about the moment loads, `data` would still contain the revision of the previous moment.
  const revision = entitlements.currentData?.revision;
  const atMoment = (of: string) => {
    if (!hasMoment) return of;
    if (moment.valid !== undefined) return text('moment.tab.in-force', { page: of, moment: second(moment.valid) });
    return past && revision !== undefined ? text('moment.tab', { page: of, revision: number(revision) }) : of;
  };
  const page = atMoment(title);
  const [before, after] = atMoment(HEADING).split(HEADING);
  // The complete heading can be longer and wrap. It would then move its end and the parts below, so the page shows
  // these only after the heading is complete.
  const isHeadingIncomplete =
    (heading && isFirstLoad(organization)) ||
    answers.other?.isLoading ||
    (hasMoment && past && isFirstLoad(entitlements));
  return (
    <>
      <div className={styles['heading']}>
        <Title tab={data ? `${page} · ${data.name}` : page}>
          {!isHeadingIncomplete && before}
          <bdi>{heading?.(answers) ?? title}</bdi>
          {!isHeadingIncomplete && after}
        </Title>
        {jump && !past && (
          <button
            type="button"
            className={controlStyles['button']}
            onClick={() => document.getElementById(jump[0])?.focus()}
          >
            {jump[1]}
          </button>
        )}
      </div>
      {paused.length > 0 && (
        <TroubleBox
          name={title}
          trouble={longestPause(paused.map(({ error: pause }) => pause as CallFailure))}
          retry={() => Promise.all(paused.map(({ refetch }) => refetch()))}
        />
      )}
      {rights.isError && !isPaused(rights) && (
        <TroubleBox name={text('rights')} trouble={rights.error as CallFailure} retry={rights.refetch} />
      )}
      {hasPending && (
        <Suspense fallback={null}>
          <PendingChanges id={id} />
        </Suspense>
      )}
      {isHeadingIncomplete && <Waits />}
      {children(answers)}
    </>
  );
}

const isMissing = (error: unknown): error is CallFailure => failureKind({ error }) === 'missing';

type UnavailableOf = Readonly<{ title: string; trouble: CallFailure; retry: () => unknown }>;

/** The page while the service does not answer. */
function Unavailable({ title, ...trouble }: UnavailableOf) {
  return (
    <>
      <Title>{title}</Title>
      <TroubleBox {...trouble} />
    </>
  );
}

type Query = Readonly<{ error?: unknown; isFetching: boolean }>;

const isPaused = (query: Query): boolean => failureKind(query) === 'paused';

/**
 * The failure of a request because the service cannot read an event of the organization. The problem document contains
 * the revision of this event.
 */
type UnreadableEvent = CallFailure & Readonly<{ problem: Readonly<{ revision: number }> }>;

const isUnreadableHistory = (error: unknown): error is UnreadableEvent =>
  isCallFailure(error) && error.reason === 'unreadable-history' && typeof error.problem?.['revision'] === 'number';

/**
 * While the page waits for a busy service, its parts look as during a request. Only the frame shows how long the page
 * waits.
 */
const waiting = <One extends Query>(query: One): One =>
  isPaused(query) ? { ...query, error: undefined, isFetching: true } : query;

const longestPause = (pauses: readonly CallFailure[]): CallFailure =>
  pauses.reduce((longest, one) => ((one.retryAfter ?? 0) > (longest.retryAfter ?? 0) ? one : longest));

/** The message for a missing or forbidden organization. The message does not reveal whether the organization exists. */
function Missing() {
  const { text } = useWords();
  return (
    <>
      <Title>{text('missing.title')}</Title>
      <p>{text('missing')}</p>
      <p>
        <a href="/">{text('no-page.home')}</a>
      </p>
    </>
  );
}
