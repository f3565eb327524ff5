import { useText } from '../text';
import styles from './Demo.module.css';

/**
 * The note that a page belongs to a demo. Every HTML document contains this note, but the style sheet shows the note
 * only if `on` is set.
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
