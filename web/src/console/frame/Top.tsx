import { Link } from 'react-router-dom';
import { useConsoleConfig } from '../page-config-context';
import { AccountMenu } from './AccountMenu';
import { Tools } from './Tools';
import styles from './Top.module.css';

/** The header: product, organization, and the signed-in person. */
export function Top() {
  const { facts } = useConsoleConfig();
  return (
    <header className={styles['top']}>
      <Link className={styles['brand']} to="/">
        <span className={styles['mark']} aria-hidden="true" />
        {facts.product}
      </Link>
      <Tools />
      <AccountMenu />
    </header>
  );
}
