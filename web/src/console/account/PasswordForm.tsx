import { type SyntheticEvent, useRef, useState } from 'react';
import { useChangePasswordMutation } from '../api';
import cardStyles from '../page-parts/Card.module.css';
import controlStyles from '../page-parts/Controls.module.css';
import { isCallFailure } from '../problem';
import { useWords } from '../words';
import { PASSWORD_CHARACTERS } from '../../password';
import { RequestButton } from '../../ui/RequestButton';
import { accountTroubleText } from './account-trouble';

/** The form that changes the password. The change ends all other sessions. */
export function PasswordForm({ username }: Readonly<{ username: string }>) {
  const { text } = useWords();
  const current = useRef<HTMLInputElement>(null);
  const wished = useRef<HTMLInputElement>(null);
  const [change, { isLoading, isSuccess, error }] = useChangePasswordMutation();
  const [short, setShort] = useState(false);
  const refused = short || (isCallFailure(error) && error.reason === 'password-refused');
  const words = short ? text('password.short') : error === undefined ? null : accountTroubleText(error, text);

  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isLoading) return;
    const form = event.currentTarget;
    const isShort = Array.from((wished.current?.value ?? '').normalize('NFC')).length < PASSWORD_CHARACTERS;
    setShort(isShort);
    if (isShort) {
      wished.current?.focus();
      return;
    }
    const done = await change(() => ({ current: current.current?.value ?? '', password: wished.current?.value ?? '' }));
    if (!('error' in done)) form.reset();
    else if (isCallFailure(done.error) && done.error.reason === 'password-refused') wished.current?.focus();
    else current.current?.select();
  };

  return (
    <form method="post" noValidate className={controlStyles['form']} onSubmit={(event) => void submit(event)}>
      <span className="unseen" aria-hidden="true">
        <input type="text" name="username" autoComplete="username" tabIndex={-1} value={username} readOnly />
      </span>
      <label htmlFor="current-password">{text('password.current')}</label>
      <input
        ref={current}
        id="current-password"
        name="current-password"
        type="password"
        autoComplete="current-password"
        aria-describedby="password-error"
        aria-invalid={words !== null && !refused}
      />
      <label htmlFor="new-password">{text('password.new')}</label>
      <input
        ref={wished}
        id="new-password"
        name="new-password"
        type="password"
        autoComplete="new-password"
        aria-describedby="password-error password-advice"
        aria-invalid={refused}
      />
      <p id="password-advice" className={cardStyles['caption']}>
        {text('password.advice')}
      </p>
      <p role="alert" id="password-error" className={controlStyles['bad']}>
        {words}
      </p>
      <RequestButton type="submit" className={controlStyles['primary']} isBusy={isLoading}>
        {text('password.change')}
      </RequestButton>
      <p role="status">{isSuccess && words === null && text('password.changed')}</p>
    </form>
  );
}
