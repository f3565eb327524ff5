import type { Session } from '@charter/client';
import { type SyntheticEvent, useRef, useState } from 'react';
import { useEndOtherSessionsMutation, useEndSessionMutation } from '../api';
import cardStyles from '../page-parts/Card.module.css';
import controlStyles from '../page-parts/Controls.module.css';
import { DisappearingButton, moveFocusAfterRemoval } from '../page-parts/DisappearingButton';
import { MOMENT, Sentence } from '../page-parts/Moment';
import { useWords } from '../words';
import { RequestButton } from '../../ui/RequestButton';
import { accountTroubleText } from './account-trouble';
import { browserOf } from './browser-of';

/**
 * One session in the list. The row of the current session has no button End, because a person ends the current session
 * by logging out.
 */
export function SessionRow({ session: { id, agent, method, began, used, current } }: Readonly<{ session: Session }>) {
  const { text } = useWords();
  const [end, { isLoading, error }] = useEndSessionMutation();
  const how = ({ password: 'sessions.password', google: 'sessions.google', sso: 'sessions.sso' } as const)[method];
  const { browser: program, system } = browserOf(agent);
  const isNamed = program !== undefined && system !== undefined;
  const browser = isNamed ? text('sessions.browser', { browser: program, system }) : agent || text('sessions.unknown');
  return (
    <li>
      <div>
        <p>
          {browser} {current && <strong>{text('sessions.this')}</strong>}
        </p>
        <p className={cardStyles['caption']}>
          <Sentence of={text(how, { began: MOMENT })} at={began} as="minute" /> ·{' '}
          <Sentence of={text('sessions.used', { used: MOMENT })} at={used} as="minute" />
        </p>
        <p role="alert" className={controlStyles['bad']}>
          {error !== undefined && accountTroubleText(error, text)}
        </p>
      </div>
      {!current && (
        <DisappearingButton
          isBusy={isLoading}
          aria-label={text('sessions.end.of', { browser })}
          onClick={() => void end(id)}
        >
          {text('sessions.end')}
        </DisappearingButton>
      )}
    </li>
  );
}

/**
 * A form that ends all other sessions after the person has entered the password. After a success a message replaces the
 * form.
 */
export function OtherSessions({ areThere }: Readonly<{ areThere: boolean }>) {
  const { text } = useWords();
  const field = useRef<HTMLInputElement>(null);
  const [end, { isLoading, isSuccess, error, reset }] = useEndOtherSessionsMutation();
  const [isConfirming, setConfirming] = useState(false);

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (isLoading) return;
    const done = await end(() => ({ password: field.current?.value ?? '' }));
    if (!('error' in done)) setConfirming(false);
    else field.current?.select();
  };

  if (!isConfirming)
    return (
      <>
        {areThere && (
          <button
            type="button"
            className={controlStyles['button']}
            onClick={() => {
              if (!isLoading) reset();
              setConfirming(true);
            }}
          >
            {text('sessions.end-others')}
          </button>
        )}
        <p role="status">{isSuccess && text('sessions.ended')}</p>
      </>
    );
  return (
    <form
      ref={moveFocusAfterRemoval}
      method="post"
      noValidate
      className={controlStyles['form']}
      onSubmit={(event) => void submit(event)}
    >
      <label htmlFor="end-others-password">{text('password.current')}</label>
      <input
        ref={field}
        id="end-others-password"
        name="password"
        type="password"
        autoComplete="current-password"
        autoFocus
        aria-describedby="end-others-error"
        aria-invalid={error !== undefined}
      />
      <p role="alert" id="end-others-error" className={controlStyles['bad']}>
        {error !== undefined && accountTroubleText(error, text)}
      </p>
      <RequestButton type="submit" className={controlStyles['danger']} isBusy={isLoading}>
        {text('sessions.end-others')}
      </RequestButton>
      <button type="button" className={controlStyles['button']} onClick={() => setConfirming(false)}>
        {text('cancel')}
      </button>
    </form>
  );
}
