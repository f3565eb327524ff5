import { lazy, Suspense, useEffect } from 'react';
import { Navigate, Route, Routes, useLocation, useMatch } from 'react-router-dom';
import { Demo } from '../ui/Demo';
import { useHeadingFocus } from '../ui/useHeadingFocus';
import { whenIdle } from '../ui/when-idle';
import styles from './Console.module.css';
import { useConsoleConfig } from './page-config-context';
import { DataWarnings } from './frame/DataWarnings';
import { FailureBoundary } from './frame/FailureBoundary';
import { Live } from './live/Live';
import { TimeBarPlace } from './moment/bar/TimeBarPlace';
import { ScrubProvider, useOnScrub } from './moment/ScrubProvider';
import { WithWords } from './organization/later-words';
import { OrganizationRoutes } from './organization/OrganizationRoutes';
import { NoPage } from './page-parts/NoPage';
import { Top } from './frame/Top';
import { useText } from '../text';

const Account = lazy(() => import('./account/Account').then(({ AccountPage: page }) => ({ default: page })));
const Chooser = lazy(() => import('./chooser/Chooser').then(({ Chooser: page }) => ({ default: page })));

/** The console: the pages of a person who is signed in. */
export function Console() {
  const { facts } = useConsoleConfig();
  const text = useText();
  const organization = useMatch('/org/:id/*')?.params.id;
  const { pathname } = useLocation();
  useHeadingFocus(pathname);
  useEffect(() => whenIdle(loadIsoCopies), []);
  return (
    <Live>
      <ScrubProvider>
        <a
          className={styles['skip']}
          href="#main"
          onClick={(event) => {
            event.preventDefault(); // the fragment of the address stays, because it may contain a draft
            document.getElementById('main')?.focus();
          }}
        >
          {text('skip')}
        </a>
        <Demo on={facts.demo} />
        <Top />
        <DataWarnings organization={organization} />
        {organization !== undefined && (
          <FailureBoundary place={organization} name={text('moment.bar')}>
            <Bar key={organization} id={organization} />
          </FailureBoundary>
        )}
        <main id="main" className={styles['landmark']} tabIndex={-1}>
          <div className={styles['main']}>
            <FailureBoundary place={pathname}>
              <Suspense fallback={null}>
                <Routes>
                  <Route path="/" element={<Chooser />} />
                  <Route path="/org/:id/*" element={<OrganizationRoutes />} />
                  <Route
                    path="/me"
                    element={
                      <WithWords group="account">
                        <Account />
                      </WithWords>
                    }
                  />
                  <Route path="/me/sessions" element={<Navigate to="/me" replace />} />
                  <Route path="*" element={<NoPage />} />
                </Routes>
              </Suspense>
            </FailureBoundary>
          </div>
        </main>
      </ScrubProvider>
    </Live>
  );
}

/** Without this script, a copied text contains each moment as the page prints it. */
const loadIsoCopies = () =>
  void import('./moment/iso-copies').then(
    ({ copyMomentsAsIso }) => copyMomentsAsIso(document),
    () => undefined,
  );

/**
 * An empty element as high as the closed time bar. The page below is not visible yet, because a member without the
 * right to audit gets no bar.
 */
const waitingBar = <div className={styles['bar']} data-waits />;

function Bar({ id }: Readonly<{ id: string }>) {
  return <TimeBarPlace id={id} onScrub={useOnScrub()} waiting={waitingBar} />;
}
