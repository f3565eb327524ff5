import type { CallFailure } from '../problem';
import controlStyles from '../page-parts/Controls.module.css';
import { Title } from '../page-parts/Title';
import { useWords } from '../words';
import { PRESENT } from './page-moment';
import { pastProblem } from './past-problem';
import { usePageMoment } from './usePageMoment';

type ProblemOf = Readonly<{
  /** The service's refusal; absent if the address contains no moment that exists. */
  failure?: CallFailure;
}>;

/** The page for a moment that cannot be shown: before the founding, beyond the last event, or unreadable. */
export function PastProblem({ failure }: ProblemOf) {
  const { text } = useWords();
  const { show } = usePageMoment();
  return (
    <>
      <Title>{text('moment.problem.title')}</Title>
      <p>{text(pastProblem(failure))}</p>
      <p>
        <button type="button" className={controlStyles['button']} onClick={() => show({ asOf: '0' })}>
          {text('moment.to-founding')}
        </button>{' '}
        <button type="button" className={controlStyles['button']} onClick={() => show(PRESENT)}>
          {text('moment.back')}
        </button>
      </p>
    </>
  );
}
