import type { LoginNotice } from '../login/Login';
import { type SyntheticEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useText } from '../../text';
import { RequestButton } from '../../ui/RequestButton';
import { Heading } from '../frame/Heading';
import { useEarlySubmit } from '../early-submit';
import { confirmEmail, type LinkRefusal } from './linkThunks';
import { RefusalWords } from './RefusalWords';
import styles from '../frame/Shell.module.css';
import { useAppDispatch } from '../store';
import { useBrowserPorts } from '../browser-ports';

/**
 * The page that confirms a new e-mail address. The person must press a button to confirm. A mail scanner may also open
 * the link, but must not confirm the address.
 */
export function Confirm({ onInvalid }: Readonly<{ onInvalid: () => void }>) {
  const { facts } = useBrowserPorts();
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const text = useText();
  const form = useRef<HTMLFormElement>(null);
  const ready = useEarlySubmit(form);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<LinkRefusal | null>(null);

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setRefusal(null);
    const done = await dispatch(confirmEmail());
    setBusy(false);
    if (confirmEmail.fulfilled.match(done))
      return navigate('/login', { replace: true, state: { notice: 'login.confirmed' satisfies LoginNotice } });
    const why = done.payload ?? { reason: 'unreachable' };
    if (why.reason === 'invalid') onInvalid();
    else setRefusal(why);
  };

  return (
    <>
      <Heading title="confirm.title" failed={refusal !== null} heading={text('confirm.heading')}>
        {text('confirm.subheading')}
      </Heading>
      <div role="alert" className={styles['error']} data-room={text('login.unreachable', { product: facts.product })}>
        <RefusalWords refusal={refusal} />
      </div>
      <form
        ref={form}
        method="post"
        noValidate
        data-early
        onSubmit={(event) => void submit(event)}
        aria-label={text('confirm.heading')}
      >
        <RequestButton className={styles['primary']} type="submit" disabled={!ready} isBusy={busy}>
          {text('confirm.submit')}
        </RequestButton>
      </form>
    </>
  );
}
