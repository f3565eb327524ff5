import { type SyntheticEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useText } from '../text';
import { Heading } from './Heading';
import { useTakeover } from './held';
import { type Refusal, setPassword } from './linkThunks';
import { PasswordField } from './PasswordField';
import styles from './Shell.module.css';
import { useAppDispatch } from './store';
import { useWorld } from './world';

const PASSWORD_CHARACTERS = 12;

const words: Readonly<Record<Exclude<Refusal, 'invalid'>, string>> = {
  common: 'reset.refused.common',
  personal: 'reset.refused.personal',
  refused: 'reset.refused',
  'too-long': 'reset.refused.too-long',
  'too-short': 'reset.refused.too-short',
  unreachable: 'reset.failed',
};

/** Sets a new password with the link that led here. Nobody is signed in by it. */
export function SetPassword({ onInvalid }: Readonly<{ onInvalid: () => void }>) {
  const { facts } = useWorld();
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const text = useText();
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const ready = useTakeover(form);
  const [busy, setBusy] = useState(false);
  const [long, setLong] = useState(false);
  const [refusal, setRefusal] = useState<keyof typeof words | null>(null);

  const refuse = (reason: keyof typeof words) => {
    setRefusal(reason);
    field.current?.focus();
  };

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (busy) return;
    if (!isLong(field.current)) {
      refuse('too-short');
      return;
    }
    setBusy(true);
    setRefusal(null);
    const done = await dispatch(setPassword(() => field.current?.value ?? ''));
    setBusy(false);
    if (setPassword.fulfilled.match(done)) return navigate('/login', { replace: true, state: { notice: 'changed' } });
    const reason = done.payload ?? 'unreachable';
    if (reason === 'invalid') onInvalid();
    else refuse(reason);
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
          {refusal !== null && <p>{text(words[refusal], { product: facts.product })}</p>}
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

/** Counted as the server counts: code points of the composed form. */
const isLong = (field: HTMLInputElement | null) =>
  Array.from((field?.value ?? '').normalize('NFC')).length >= PASSWORD_CHARACTERS;
