import { useText } from '../text';
import styles from './Demo.module.css';

/** Says on every page that nothing here is real. Always in the document; the style sheet shows it only when it is `on`. */
export function Demo({ on, mails = false }: Readonly<{ on: string; mails?: boolean }>) {
  const text = useText();
  return (
    <aside className={styles['demo']} data-demo={on} aria-label={text('demo')}>
      {text('demo')}
      {mails && <a href="/dev/mail">{text('demo.mails')}</a>}
    </aside>
  );
}
