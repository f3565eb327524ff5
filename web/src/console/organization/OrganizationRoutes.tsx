import { Suspense } from 'react';
import { Navigate, Route, Routes, useLocation, useParams } from 'react-router-dom';
import { NoPage } from '../page-parts/NoPage';
import { Acceptance } from './Acceptance';
import { WithWords } from './later-words';
import { Nav } from './Nav';
import styles from './Nav.module.css';
import { type OrganizationPageEntry, organizationPages } from './organization-pages';

/**
 * The pages of one organization, beside the navigation between these pages. When a person opens another organization,
 * the pages start anew, so that no page shows answers of the previous organization.
 */
export function OrganizationRoutes() {
  const { id } = useParams();
  return (
    <div key={id} className={styles['beside']}>
      <Nav />
      <div>
        <Acceptance />
        <Suspense fallback={null}>
          <Routes>
            <Route path="/" element={<ToOverview />} />
            {organizationPages.flatMap((entry) =>
              [entry.path, ...(entry.more ? [`${entry.path}/${entry.more}`] : [])].map((path) => (
                <Route key={path} path={path} element={<Page entry={entry} />} />
              )),
            )}
            <Route path="*" element={<NoPage />} />
          </Routes>
        </Suspense>
      </div>
    </div>
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
