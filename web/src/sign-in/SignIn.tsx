import { type ComponentType, lazy, Suspense } from 'react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { useHeadingFocus } from '../ui/useHeadingFocus';
import { Forgot } from './forgot/Forgot';
import { Login } from './login/Login';
import { Shell } from './frame/Shell';

const LinkPages = lazy(() => import('./links/LinkPages').then(({ LinkPages: page }) => ({ default: page })));

/**
 * The sign-in pages. The first matching route wins, so `/forgot` comes before the other routes. For unknown paths, the
 * log-in page appears.
 */
export function SignIn({
  linkPages: Pages = LinkPages,
}: Readonly<{ linkPages?: ComponentType<{ of: 'reset' | 'confirm' | 'invitation' }> }>) {
  useHeadingFocus(useLocation().pathname);
  return (
    <Shell>
      <Suspense fallback={null}>
        <Routes>
          <Route path="/forgot" element={<Forgot />} />
          <Route path="/reset/:token?" element={<Pages of="reset" />} />
          <Route path="/invitation/:token?" element={<Pages of="invitation" />} />
          <Route path="/email/confirm/:token?" element={<Pages of="confirm" />} />
          <Route path="/login/:error?" element={<Login />} />
          <Route path="*" element={<Login />} />
        </Routes>
      </Suspense>
    </Shell>
  );
}
