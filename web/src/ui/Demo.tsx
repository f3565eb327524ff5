import { useText } from '../text';
import styles from './Demo.module.css';

/** Says on every page that nothing here is real. Always in the document; the style sheet shows it only when it is `on`. */
export function Demo({ on }: Readonly<{ on: string }>) {
  const text = useText();
  return (
    <aside className={styles['demo']} data-demo={on} aria-label={text('demo')}>
      {text('demo')}
      <a href="/dev/mail">{text('demo.mails')}</a>
    </aside>
  );
}
