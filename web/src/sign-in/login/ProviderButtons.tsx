import { useState } from 'react';
import { useText } from '../../text';
import { RequestButton } from '../../ui/RequestButton';
import { useBrowserPorts } from '../browser-ports';
import styles from '../frame/Shell.module.css';
import { useReturnFromCache } from '../useReturnFromCache';
import { GoogleMark } from './GoogleMark';

type ButtonsOf = Readonly<{
  /** The text that the person has entered as the username. */
  username: () => string;
  /** The query string with the page that opens after the sign-in. */
  query: string;
  /** Runs if the person starts single sign-on without an e-mail address in the field. */
  onNoAddress: () => void;
}>;

/** The buttons that sign in through a provider. Single sign-on leads to the provider of the person's organization. */
export function ProviderButtons({ username, query, onNoAddress }: ButtonsOf) {
  const { facts, go } = useBrowserPorts();
  const [leaving, setLeaving] = useState<'google' | 'sso'>();
  const text = useText();

  useReturnFromCache(() => {
    if (leaving === 'google')
      go(location.href); // the token in this page works only once
    else setLeaving(undefined);
  });

  const leave = (way: 'google' | 'sso', path: string) => {
    setLeaving(way);
    go(path);
  };
  const withSingleSignOn = () => {
    // The page sends only the domain, never the whole address.
    const domain = /[^@\s]@([^@\s]+)$/.exec(username().trim())?.[1];
    if (domain === undefined) onNoAddress();
    else leave('sso', `/auth/sso/domains/${encodeURIComponent(domain)}${query}`);
  };

  return (
    <>
      <RequestButton
        className={styles['secondary']}
        isBusy={leaving === 'google'}
        onClick={() => leave('google', `/auth/go/${encodeURIComponent(facts.googleToken)}`)}
      >
        <GoogleMark />
        {text('login.google')}
      </RequestButton>
      <RequestButton className={styles['secondary']} isBusy={leaving === 'sso'} onClick={withSingleSignOn}>
        {text('login.sso')}
      </RequestButton>
    </>
  );
}
