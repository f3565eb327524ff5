import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useText } from '../../text';
import { RequestButton } from '../../ui/RequestButton';
import { Field } from '../fields/Field';
import { Heading } from '../frame/Heading';
import { redirectQuery } from '../login/Login';
import styles from '../frame/Shell.module.css';
import { forgotOpened, looksLikeEmail, sendResetLink } from '../signInSlice';
import { useAppDispatch, useAppSelector } from '../store';
import { useBrowserPorts } from '../browser-ports';

/**
 * The page that requests a reset link. After the request, the page always shows the text for a success, even after a
 * failure, and allows no second request.
 */
export function Forgot() {
  const { search } = useLocation();
  const { carried } = useBrowserPorts();
  const { forgot } = useAppSelector((state) => state.signIn);
  const dispatch = useAppDispatch();
  const text = useText();
  const field = useRef<HTMLInputElement>(null);
  const [valid, setValid] = useState(false);
  const sent = forgot === 'sent';

  useEffect(() => {
    setValid(looksLikeEmail(field.current?.value ?? '')); // the person may have typed before the script loaded
    return () => void dispatch(forgotOpened());
  }, [dispatch]);
  useEffect(() => {
    if (sent) document.querySelector('h1')?.focus();
  }, [sent]);

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void dispatch(sendResetLink(() => field.current?.value ?? ''));
  };

  return (
    <>
      <Heading title="forgot.title" heading={text('forgot.heading')}>
        {text(sent ? 'forgot.sent' : 'forgot.subheading')}
      </Heading>
      {!sent && (
        <form method="post" noValidate onSubmit={submit} aria-label={text('forgot.heading')}>
          <Field
            ref={field}
            id="email"
            type="email"
            inputMode="email"
            autoComplete="email"
            label={text('forgot.email')}
            placeholder={text('forgot.email.placeholder')}
            defaultValue={carried.email || undefined}
            onInput={({ currentTarget: { value } }) => setValid(looksLikeEmail(value))}
          />
          <RequestButton className={styles['primary']} type="submit" disabled={!valid} isBusy={forgot === 'processing'}>
            {text('forgot.submit')}
          </RequestButton>
        </form>
      )}
      <p className={styles['aside']}>
        <Link to={{ pathname: '/login', search: redirectQuery(new URLSearchParams(search)) }}>
          {text('forgot.back')}
        </Link>
      </p>
    </>
  );
}
