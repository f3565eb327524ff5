import { useText } from '../text';
import styles from './Demo.module.css';

/**
 * The note about the demo on every page. The document always contains it, and the style sheet shows it only if `on` is
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
