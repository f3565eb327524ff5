import { useParams } from 'react-router-dom';
import { useOrganizationQuery } from '../api';
import { useOwnerNames } from '../organization/members/useOwnerNames';
import type { CallFailure } from '../problem';
import controlStyles from '../page-parts/Controls.module.css';
import { Title } from '../page-parts/Title';
import { useWords } from '../words';
import { PRESENT } from './page-moment';
import { pastProblem } from './past-problem';
import { usePageMoment } from './usePageMoment';

type ProblemOf = Readonly<{
  /** The service's refusal; absent if the page cannot read the moment in the address. */
  failure?: CallFailure | undefined;
}>;

/**
 * The page for a moment that Charter cannot show: before the founding, after the last event, or in a wrong format. The
 * page also appears if the person may not read the past.
 */
export default function PastProblem({ failure }: ProblemOf) {
  const { text } = useWords();
  const { show } = usePageMoment();
  const isRefused = failure?.status === 403;
  return (
    <>
      <Title>{text(isRefused ? 'moment.problem.refused.title' : 'moment.problem.title')}</Title>
      {isRefused ? <RefusedPast /> : <Reason failure={failure} />}
      <p>
        {!isRefused && (
          <button type="button" className={controlStyles['button']} onClick={() => show({ asOf: '0' })}>
            {text('moment.to-founding')}
          </button>
        )}{' '}
        <button type="button" className={controlStyles['button']} onClick={() => show(PRESENT)}>
          {text('moment.back')}
        </button>
      </p>
    </>
  );
}

/** Why the page cannot show the moment. For a moment before the founding, the day of the founding. */
function Reason({ failure }: ProblemOf) {
  const { text, day } = useWords();
  const { id = '' } = useParams();
  const isBefore = failure?.status === 404;
  const { data } = useOrganizationQuery({ id, moment: PRESENT }, { skip: !isBefore });
  return (
    <p>
      {isBefore && data ? text('moment.problem.founded', { day: day(data.founded.at) }) : text(pastProblem(failure))}
    </p>
  );
}

/** Names the owners, whom a member without the right to audit can ask. */
function RefusedPast() {
  const { text, oneOf } = useWords();
  const { id = '' } = useParams();
  const owners = useOwnerNames(id);
  return (
    <p>
      {owners.length > 0
        ? text('moment.problem.refused.ask', { owners: oneOf(owners) })
        : text('moment.problem.refused')}
    </p>
  );
}
