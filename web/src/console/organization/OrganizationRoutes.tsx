import { lazy, Suspense } from 'react';
import { Navigate, Route, Routes, useLocation, useParams } from 'react-router-dom';
import { Drafting } from '../drafting/Drafting';
import { useDrafting } from '../drafting/drafting-context';
import { StartDraft } from '../drafting/StartDraft';
import { FailureBoundary } from '../frame/FailureBoundary';
import { OtherSide } from '../moment/OtherSide';
import { NoPage } from '../page-parts/NoPage';
import { Acceptance } from './Acceptance';
import { WithWords } from './later-words';
import { Nav } from './Nav';
import styles from './Nav.module.css';
import { type OrganizationPageEntry, organizationPages } from './organization-pages';

const DraftPanel = lazy(() => import('../drafting/DraftPanel'));

/**
 * The navigation between the pages of one organization, and the open page. When a person opens another organization,
 * React mounts the pages again, so that no page shows data of the previous organization.
 */
export function OrganizationRoutes() {
  const { id = '' } = useParams();
  return (
    <Drafting key={id} id={id}>
      <PagesBesideNav />
    </Drafting>
  );
}

function PagesBesideNav() {
  const { pathname } = useLocation();
  return (
    <div className={styles['beside']}>
      <div>
        <Nav />
        <StartDraft />
      </div>
      <div>
        <FailureBoundary place={pathname}>
          <Acceptance key={pathname} />
        </FailureBoundary>
        <FailureBoundary place={pathname}>
          <Suspense fallback={null}>
            <OtherSide>
              <Routes>
                <Route path="/" element={<ToOverview />} />
                {organizationPages.flatMap((entry) =>
                  [entry.path, ...(entry.more ? [`${entry.path}/${entry.more}`] : [])].map((path) => (
                    <Route key={path} path={path} element={<Page entry={entry} />} />
                  )),
                )}
                <Route path="*" element={<NoPage />} />
              </Routes>
            </OtherSide>
          </Suspense>
        </FailureBoundary>
      </div>
      <Panel />
    </div>
  );
}

/** The panel with the open draft, beside every page except the draft page. */
function Panel() {
  const { id = '', '*': path } = useParams();
  const { isOpen } = useDrafting();
  if (!isOpen || path === 'draft') return null;
  return (
    <Suspense fallback={null}>
      <WithWords group={['draft', 'commands', 'history', 'organization']}>
        <DraftPanel id={id} />
      </WithWords>
    </Suspense>
  );
}

function ToOverview() {
  const { search, hash } = useLocation();
  return <Navigate to={{ pathname: 'overview', search, hash }} replace />;
}

function Page({ entry: { page: Content, words } }: Readonly<{ entry: OrganizationPageEntry }>) {
  if (!words) return <Content />;
  return (
    <WithWords group={words}>
      <Content />
    </WithWords>
  );
}
