import { Suspense } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { Acceptance } from './Acceptance';
import { WithWords } from './later-words';
import { Nav } from './Nav';
import styles from './Nav.module.css';
import { type OrganizationPageEntry, organizationPages } from './organization-pages';

/** The pages of one organization, beside the navigation between these pages. */
export function OrganizationRoutes() {
  return (
    <div className={styles['beside']}>
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
          </Routes>
        </Suspense>
      </div>
    </div>
  );
}

function ToOverview() {
  const { search } = useLocation();
  return <Navigate to={{ pathname: 'overview', search }} replace />;
}

function Page({ entry: { page: Content, words } }: Readonly<{ entry: OrganizationPageEntry }>) {
  if (!words) return <Content />;
  return (
    <WithWords group={words}>
      <Content />
    </WithWords>
  );
}
