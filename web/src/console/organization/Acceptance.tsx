import { useParams } from 'react-router-dom';
import { useText } from '../../text';
import { useAcceptMembershipMutation, useMeQuery } from '../api';
import { isPastMoment } from '../moment/page-moment';
import { usePageMoment } from '../moment/usePageMoment';
import cardStyles from '../page-parts/Card.module.css';
import controlStyles from '../page-parts/Controls.module.css';
import { TroubleBox } from '../page-parts/TroubleBox';
import type { CallFailure } from '../problem';

/**
 * Asks a person who was added by id to accept the membership. Before the acceptance, the other members do not see this
 * person's name and e-mail address. The console never shows the names of people with a platform role, so the console
 * does not ask these people.
 */
export function Acceptance() {
  const { id = '' } = useParams();
  const { data: me } = useMeQuery(undefined);
  const [accept, { isLoading, isSuccess, error }] = useAcceptMembershipMutation();
  const text = useText();
  const { moment } = usePageMoment();
  const isPresent = !isPastMoment(moment); // a page of the past has no control that changes data
  const isOpen = isPresent && me?.role === null && me.organizations.some((one) => one.id === id && !one.accepted);
  return (
    <>
      <p role="status">{isSuccess && !isOpen && text('acceptance.done')}</p>
      {isOpen && (
        <section className={cardStyles['card']}>
          <p>{text('acceptance')}</p>
          <button
            type="button"
            className={controlStyles['button']}
            disabled={isLoading}
            aria-busy={isLoading}
            onClick={() => void accept(id)}
          >
            {text('acceptance.accept')}
          </button>
          {error !== undefined && (
            <TroubleBox name={text('acceptance.accept')} trouble={error as CallFailure} retry={() => accept(id)} />
          )}
        </section>
      )}
    </>
  );
}
