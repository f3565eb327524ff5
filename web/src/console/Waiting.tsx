import type { Facts } from '../facts';
import { Demo } from '../ui/Demo';
import styles from './Console.module.css';

/** The console's frame, before the script: the same to the eye as what the script begins with. */
export function Waiting({ facts }: Readonly<{ facts: Facts }>) {
  return (
    <>
      <Demo on={facts.demo} />
      <header className={styles['top']}>
        <a className={styles['brand']} href="/">
          <span className={styles['mark']} aria-hidden="true" />
          {facts.product}
        </a>
      </header>
      <main className={styles['main']} />
    </>
  );
}
