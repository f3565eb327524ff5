import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react';
import { PASSWORD_CHARACTERS } from '../../password';
import { useText } from '../../text';
import { RequestButton } from '../../ui/RequestButton';
import { Heading } from '../frame/Heading';
import { useEarlySubmit } from '../early-submit';
import { type LinkRefusal, setPassword } from './linkThunks';
import { PasswordField } from '../fields/PasswordField';
import { RefusalWords } from './RefusalWords';
import styles from '../frame/Shell.module.css';
import { useAppDispatch } from '../store';
import { useBrowserPorts } from '../browser-ports';
import { useReturnFromCache } from '../useReturnFromCache';

type Of = Readonly<{
  /** The ids of the page's texts. */
  words: Readonly<{ title: string; heading: string; password: string; submit: string }>;
  /** The text below the heading. */
  sub?: ReactNode;
  /** A field for the person's name, with the id `name`. The argument is whether the service has refused the name. */
  children?: (isRefused: boolean) => ReactNode;
  onDone: () => unknown;
  onInvalid: () => void;
}>;

/** The heading and the form of a page that sets a password with a link. */
export function NewPasswordForm({ words, sub, children, onDone, onInvalid }: Of) {
  const { facts } = useBrowserPorts();
  const dispatch = useAppDispatch();
  const text = useText();
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const ready = useEarlySubmit(form);
  const [busy, setBusy] = useState(false);
  const [long, setLong] = useState(false);
  const [refusal, setRefusal] = useState<LinkRefusal | null>(null);
  const nameField = () => form.current?.querySelector<HTMLInputElement>('#name');

  const refuse = (why: LinkRefusal) => {
    setRefusal(why);
    (why.reason === 'name' ? nameField() : field.current)?.focus();
  };

  useReturnFromCache(() => setBusy(false));

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (busy) return;
    if (!isLong(field.current)) {
      refuse({ reason: 'too-short' });
      return;
    }
    setBusy(true);
    setRefusal(null);
    const done = await dispatch(
      setPassword(() => ({ password: field.current?.value ?? '', name: nameField()?.value.trim() })),
    );
    if (setPassword.fulfilled.match(done)) return onDone(); // the form stays busy while the next page opens
    setBusy(false);
    const why = done.payload ?? { reason: 'unreachable' };
    if (why.reason === 'invalid') onInvalid();
    else refuse(why);
  };

  return (
    <>
      <Heading title={words.title} failed={refusal !== null} heading={text(words.heading)}>
        {sub}
      </Heading>
      <div
        role="alert"
        id="new-password-error"
        className={styles['error']}
        data-room={text('reset.refused.personal', { product: facts.product })}
      >
        <RefusalWords refusal={refusal} />
      </div>
      <form
        ref={form}
        method="post"
        noValidate
        data-early
        onSubmit={(event) => void submit(event)}
        aria-label={text(words.heading)}
      >
        {children?.(refusal?.reason === 'name')}
        <PasswordField
          ref={field}
          id="new-password"
          label={text(words.password)}
          autoComplete="new-password"
          busy={busy}
          describedBy="new-password-error new-password-advice"
          aria-invalid={refusal !== null && refusal.reason !== 'name'}
          onInput={() => setLong(isLong(field.current))}
        />
        <p id="new-password-advice" className={styles['note']}>
          {text('reset.advice')}
        </p>
        <p className={styles['rule']} data-met={long}>
          {text('reset.rule.length')}
        </p>
        <RequestButton className={styles['primary']} type="submit" disabled={!ready} isBusy={busy}>
          {text(words.submit)}
        </RequestButton>
      </form>
    </>
  );
}

const isLong = (field: HTMLInputElement | null) =>
  Array.from((field?.value ?? '').normalize('NFC')).length >= PASSWORD_CHARACTERS;
