import { useLingui } from '@lingui/react';
import { type ReactNode, useState } from 'react';
import { languages } from '../../languages';
import { useText } from '../../text';
import { Demo } from '../../ui/Demo';
import styles from './Shell.module.css';
import { useBrowserPorts } from '../browser-ports';

/** The frame of all sign-in pages: the product's name, and the choice of a language. */
export function Shell({ children }: Readonly<{ children: ReactNode }>) {
  const { facts, speak } = useBrowserPorts();
  const { i18n } = useLingui();
  const text = useText();
  const [hasFailed, setFailed] = useState(false);
  const choose = (language: string) => {
    setFailed(false);
    speak(language).catch(() => setFailed(true));
  };
  return (
    <>
      <Demo on={facts.demo} />
      <div className={styles['pane']}>
        <header className={styles['brand']}>{facts.product}</header>
        <main className={styles['main']}>{children}</main>
        <footer className={styles['foot']}>
          <label className="unseen" htmlFor="language">
            {text('language')}
          </label>
          <select
            id="language"
            className={styles['language']}
            value={i18n.locale}
            onChange={({ target: { value } }) => choose(value)}
          >
            {Object.entries(languages).map(([code, name]) => (
              <option key={code} value={code} lang={code}>
                {name}
              </option>
            ))}
          </select>
          {hasFailed && <p role="alert">{text('login.unreachable', { product: facts.product })}</p>}
        </footer>
      </div>
    </>
  );
}
