import { type ReactNode, useEffect } from 'react';
import { useParams } from 'react-router-dom';
import { lastOrganizations } from '../last-organizations';
import { isPastMoment } from '../moment/page-moment';
import { PastProblem } from '../moment/PastProblem';
import { useOrganizationAnswers } from '../moment/scrubbing';
import { usePageMoment } from '../moment/usePageMoment';
import { answerOf } from '../page-parts/answer-of';
import { Title } from '../page-parts/Title';
import { TroubleBox } from '../page-parts/TroubleBox';
import { type CallFailure, isCallFailure } from '../problem';
import { useWords } from '../words';

export type OrganizationAnswers = ReturnType<typeof useOrganizationAnswers> & Readonly<{ id: string }>;

type PageOf = Readonly<{
  /** The name of the page in the title of the browser tab. */
  title: string;
  /** The heading; without it, the page's name. */
  heading?: (answers: OrganizationAnswers) => string | undefined;
  children: (answers: OrganizationAnswers) => ReactNode;
}>;

const MISSING = [400, 404]; // 400: the id in the address is not valid
const FORBIDDEN = 403;

/**
 * The frame of a page that shows an organization at the moment in the address. It handles a missing organization, a
 * moment that does not exist and a failure of the whole page. The children show loading and failure of each part.
 */
export function OrganizationFrame({ title, heading, children }: PageOf) {
  const { id = '' } = useParams();
  const { isUnreadable, moment } = usePageMoment();
  const answers = { id, ...useOrganizationAnswers(id) };
  const { text, number } = useWords();
  const { organization, entitlements, past, existsNow } = answers;
  const { error } = organization;
  const data = answerOf(organization);
  useEffect(() => {
    if (data) lastOrganizations.add(id);
  }, [data, id]);

  if (isUnreadable) return <PastProblem />;
  if (isCallFailure(error) && error.status === FORBIDDEN && isPastMoment(moment))
    return <PastProblem failure={error} />;
  if (isCallFailure(error) && MISSING.includes(error.status))
    return existsNow ? <PastProblem failure={error} /> : <Missing />;
  if (!data && error && entitlements.error && !organization.isFetching) {
    const again = () => Promise.all([organization.refetch(), entitlements.refetch()]);
    return (
      <>
        <Title>{title}</Title>
        <TroubleBox whole name="" trouble={error as CallFailure} retry={again} />
      </>
    );
  }
  const revision = answerOf(entitlements)?.revision;
  const page = past && revision !== undefined ? text('moment.tab', { page: title, revision: number(revision) }) : title;
  return (
    <>
      <Title tab={data ? `${page} · ${data.name}` : page}>{heading?.(answers) ?? title}</Title>
      {children(answers)}
    </>
  );
}

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
