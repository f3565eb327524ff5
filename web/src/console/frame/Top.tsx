import { lazy, Suspense } from 'react';
import { Link, useMatch } from 'react-router-dom';
import { useConsoleConfig } from '../page-config-context';
import { FailureBoundary } from './FailureBoundary';
import { AccountMenu } from './AccountMenu';
import { Tools } from './Tools';
import styles from './Top.module.css';

const LiveSign = lazy(() => import('../live/LiveSign'));

/** The page header: the product, the organization, the state of live updates, and the menu of the signed-in person. */
export function Top() {
  const { facts } = useConsoleConfig();
  const isOfOrganization = useMatch('/org/:id/*') !== null;
  return (
    <header className={styles['top']}>
      <Link className={styles['brand']} to="/">
        <span className={styles['mark']} aria-hidden="true" />
        {facts.product}
      </Link>
      <Tools />
      {isOfOrganization && (
        <FailureBoundary instead={null}>
          <Suspense fallback={null}>
            <LiveSign />
          </Suspense>
        </FailureBoundary>
      )}
      <AccountMenu />
    </header>
  );
}
