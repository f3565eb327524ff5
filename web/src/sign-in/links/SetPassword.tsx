import type { LoginNotice } from '../login/Login';
import { type SyntheticEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { PASSWORD_CHARACTERS } from '../../password';
import { useText } from '../../text';
import { Heading } from '../frame/Heading';
import { useEarlySubmit } from '../early-submit';
import { type LinkRefusal, setPassword } from './linkThunks';
import { PasswordField } from '../fields/PasswordField';
import { RefusalWords } from './RefusalWords';
import styles from '../frame/Shell.module.css';
import { useAppDispatch } from '../store';

/** The page that sets a new password with a mailed link. To set the password does not sign the person in. */
export function SetPassword({ onInvalid }: Readonly<{ onInvalid: () => void }>) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const text = useText();
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const ready = useEarlySubmit(form);
  const [busy, setBusy] = useState(false);
  const [long, setLong] = useState(false);
  const [refusal, setRefusal] = useState<LinkRefusal | null>(null);

  const refuse = (why: LinkRefusal) => {
    setRefusal(why);
    field.current?.focus();
  };

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (busy) return;
    if (!isLong(field.current)) {
      refuse({ reason: 'too-short' });
      return;
    }
    setBusy(true);
    setRefusal(null);
    const done = await dispatch(setPassword(() => field.current?.value ?? ''));
    setBusy(false);
    if (setPassword.fulfilled.match(done))
      return navigate('/login', { replace: true, state: { notice: 'login.changed' satisfies LoginNotice } });
    const why = done.payload ?? { reason: 'unreachable' };
    if (why.reason === 'invalid') onInvalid();
    else refuse(why);
  };

  return (
    <>
      <Heading title="reset.title" failed={refusal !== null} heading={text('reset.heading')} />
      <form
        ref={form}
        method="post"
        noValidate
        data-early
        onSubmit={(event) => void submit(event)}
        aria-label={text('reset.heading')}
      >
        <PasswordField
          ref={field}
          id="new-password"
          label={text('reset.password')}
          autoComplete="new-password"
          busy={busy}
          describedBy="new-password-error new-password-advice"
          aria-invalid={refusal !== null}
          onInput={() => setLong(isLong(field.current))}
        />
        <div role="alert" id="new-password-error" className={styles['error']}>
          <RefusalWords refusal={refusal} />
        </div>
        <p id="new-password-advice" className={styles['note']}>
          {text('reset.advice')}
        </p>
        <p className={styles['rule']} data-met={long}>
          {text('reset.rule.length')}
        </p>
        <button className={styles['primary']} type="submit" disabled={!ready || busy} aria-busy={busy}>
          {text('reset.submit')}
        </button>
      </form>
    </>
  );
}

const isLong = (field: HTMLInputElement | null) =>
  Array.from((field?.value ?? '').normalize('NFC')).length >= PASSWORD_CHARACTERS;
