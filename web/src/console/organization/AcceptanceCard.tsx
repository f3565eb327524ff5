import { useText } from '../../text';
import { useAcceptMembershipMutation } from '../api';
import cardStyles from '../page-parts/Card.module.css';
import { DisappearingButton } from '../page-parts/DisappearingButton';
import { TroubleBox } from '../page-parts/TroubleBox';
import type { CallFailure } from '../problem';
import styles from './AcceptanceCard.module.css';

/** The card in which a person accepts a membership. After the acceptance, the card has the same size. */
export function AcceptanceCard({ id, isAccepted }: Readonly<{ id: string; isAccepted: boolean }>) {
  const [accept, { isLoading, error }] = useAcceptMembershipMutation();
  const text = useText();
  return (
    <section className={cardStyles['card']}>
      <p role="status" className={styles['done']}>
        {isAccepted && text('acceptance.done')}
      </p>
      <div
        key={String(isAccepted)} // replaces the button, so that its focus moves to the heading
        className={isAccepted ? styles['gone'] : undefined}
        aria-hidden={isAccepted}
        inert={isAccepted}
      >
        <p>{text('acceptance')}</p>
        <DisappearingButton isBusy={isLoading} onClick={() => void accept(id)}>
          {text('acceptance.accept')}
        </DisappearingButton>
      </div>
      {error !== undefined && (
        <TroubleBox name={text('acceptance.accept')} trouble={error as CallFailure} retry={() => accept(id)} />
      )}
    </section>
  );
}
