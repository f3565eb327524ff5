import { lazy, Suspense, useEffect, useRef } from 'react';
import { Navigate, Route, Routes, useLocation, useParams } from 'react-router-dom';
import { Demo } from '../ui/Demo';
import { Chooser } from './Chooser';
import styles from './Console.module.css';
import { useFacts } from './facts';
import { Offline } from './Offline';
import { Overview } from './Overview';
import { Title } from './Title';
import { Top } from './Top';
import { useText } from '../text';

const Account = lazy(() => import('./account/Account').then(({ Account: page }) => ({ default: page })));

/** What who is signed in sees. */
export function Console() {
  const { facts } = useFacts();
  const text = useText();
  useHeadingFocus();
  return (
    <>
      <a className={styles['skip']} href="#main">
        {text('skip')}
      </a>
      <Demo on={facts.demo} />
      <Top />
      <Offline />
      <main id="main" className={styles['main']} tabIndex={-1}>
        <Suspense fallback={null}>
          <Routes>
            <Route path="/" element={<Chooser />} />
            <Route path="/org/:id" element={<ToOverview />} />
            <Route path="/org/:id/overview" element={<Overview />} />
            <Route path="/me" element={<Account />} />
            <Route path="/me/sessions" element={<Navigate to="/me" replace />} />
            <Route path="*" element={<NoPage />} />
          </Routes>
        </Suspense>
      </main>
    </>
  );
}

function ToOverview() {
  const { id } = useParams();
  return <Navigate to={`/org/${id}/overview`} replace />;
}

function NoPage() {
  const text = useText();
  return (
    <>
      <Title>{text('no-page.title')}</Title>
      <p>{text('no-page')}</p>
      <p>
        <a href="/">{text('no-page.home')}</a>
      </p>
    </>
  );
}

/** After going to another page, its heading is read out. */
function useHeadingFocus(): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    document.querySelector('h1')?.focus();
  }, [pathname]);
}
