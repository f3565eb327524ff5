import { useText } from '../text';
import styles from './Demo.module.css';

/**
 * The note on every page of a demo. Every document contains this note, and the style sheet shows it only if `on` is
 * set.
 */
export function Demo({ on }: Readonly<{ on: string }>) {
  const text = useText();
  return (
    <aside className={styles['demo']} data-demo={on} aria-label={text('demo')}>
      {text('demo')}
      <a href="/dev/mail">{text('demo.mails')}</a>
    </aside>
  );
}
