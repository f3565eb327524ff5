import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useText } from '../../text';
import { RequestButton } from '../../ui/RequestButton';
import { Field } from '../fields/Field';
import { LoginFailure } from './Failure';
import { ProviderButtons } from './ProviderButtons';
import { Heading } from '../frame/Heading';
import { useEarlySubmit } from '../early-submit';
import { PasswordField } from '../fields/PasswordField';
import { redirectTo } from '../redirect';
import styles from '../frame/Shell.module.css';
import { cameBack, logIn } from '../signInSlice';
import { useAppDispatch, useAppSelector } from '../store';
import { useBrowserPorts } from '../browser-ports';
import { useReturnFromCache } from '../useReturnFromCache';

/**
 * The message ids for the errors of sign-ins through a provider. The page reads the error from the query string, never
 * from the path (`specification.md` 2).
 */
const errors = { google: 'login.error.google', sso: 'login.error.sso', account: 'login.error.account' };
const isError = (text: string | null): text is keyof typeof errors => text !== null && Object.hasOwn(errors, text);

export function Login() {
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const { facts, carried } = useBrowserPorts();
  const { login, failure } = useAppSelector((state) => state.signIn);
  const dispatch = useAppDispatch();
  const text = useText();
  const form = useRef<HTMLFormElement>(null);
  const ready = useEarlySubmit(form);
  const [needsAddress, setNeedsAddress] = useState(false);
  const busy = login === 'processing';
  const { product } = facts;

  const error = query.get('error');
  const errorText = needsAddress
    ? 'login.sso.address'
    : failure
      ? 'login.failed'
      : isError(error) && !busy
        ? errors[error]
        : null;

  const reachedLimit = errorText === errors.account && query.get('reason') === 'limit-exceeded';

  const field = (id: 'username' | 'password') => form.current?.querySelector<HTMLInputElement>(`#${id}`);

  useEffect(() => {
    const byHand = window.matchMedia('(pointer:fine)').matches && document.activeElement === document.body;
    if (byHand && errorText === null) field('username')?.focus();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, when the page opens
  }, []);
  useReturnFromCache(() => dispatch(cameBack()));

  useEffect(() => {
    if (!failure) return;
    field('password')?.focus();
    field('password')?.select();
  }, [failure]);

  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    // A form action of React would clear the fields. After a wrong password, the person would then have to type the
    // username again.
    event.preventDefault();
    setNeedsAddress(false);
    const { currentTarget } = event;
    const ask = () => {
      const entered = new FormData(currentTarget);
      return { username: entered.get('username') as string, password: entered.get('password') as string };
    };
    const redirect = redirectTo(query.get('redirect'), { origin: location.origin, origins: facts.redirectOrigins });
    void dispatch(logIn({ ask, redirect: redirect + location.hash }));
  };

  const carry = () => {
    const email = field('username')?.value ?? '';
    carried.email = email.includes('@') ? email : '';
  };

  return (
    <>
      <Heading title="login.title" failed={errorText !== null} heading={text('login.heading', { product })}>
        {text('login.subheading')}
      </Heading>
      {search.includes('from_rns') && (
        <div className={styles['info']}>
          <p>{text('login.migrated.1', { product })}</p>
          <p>{text('login.migrated.2')}</p>
          <p>{text('login.migrated.3')}</p>
        </div>
      )}
      <Notice />
      <LoginFailure
        {...{ errorText, reachedLimit, failure }}
        room={error === 'account' ? errors.account : 'login.failed'}
      />
      <form ref={form} method="post" noValidate data-early onSubmit={submit} aria-label={text('login.submit')}>
        <Field
          id="username"
          type="email"
          label={text('login.username')}
          placeholder={text('login.username.placeholder')}
          autoComplete="username"
          aria-invalid={failure !== null || needsAddress}
          aria-describedby={needsAddress ? 'login-error' : undefined}
        />
        <PasswordField
          id="password"
          label={text('login.password')}
          autoComplete="current-password"
          busy={busy}
          describedBy="login-error"
          aria-invalid={failure !== null}
        />
        <p className={styles['aside']}>
          <Link to={{ pathname: '/forgot', search: redirectQuery(query) }} onClick={carry}>
            {text('login.forgot')}
          </Link>
        </p>
        <RequestButton className={styles['primary']} type="submit" disabled={!ready} isBusy={busy}>
          {text('login.submit')}
        </RequestButton>
      </form>
      <div className={styles['or']}>
        <span>{text('login.or')}</span>
      </div>
      <ProviderButtons
        username={() => field('username')?.value ?? ''}
        query={redirectQuery(query)}
        onNoAddress={() => {
          setNeedsAddress(true);
          field('username')?.focus();
        }}
      />
    </>
  );
}

/**
 * The id of the message that the log-in page shows after a person has changed a password or confirmed an address on
 * another sign-in page.
 */
export type LoginNotice = 'login.changed' | 'login.confirmed';

/**
 * Explains to the person why the log-in page has opened. The text appears only once, and the HTML from the server does
 * not contain it.
 */
function Notice() {
  const { state } = useLocation() as { state: { notice?: LoginNotice } | null };
  const { wasSignedOut } = useBrowserPorts();
  const [shown, setShown] = useState(false);
  const text = useText();
  useEffect(() => setShown(true), []);
  const words = state?.notice ?? (wasSignedOut ? 'login.ended' : null);
  return <div role="status">{shown && words !== null && <p className={styles['info']}>{text(words)}</p>}</div>;
}

/** The query string for the links to `/forgot` and back. The query string contains only the parameter `redirect`. */
export function redirectQuery(query: URLSearchParams): string {
  const redirect = query.get('redirect');
  return redirect ? `?${new URLSearchParams({ redirect }).toString()}` : '';
}
