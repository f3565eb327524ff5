import type { Entitlements } from '@charter/client';
import { useId, useSyncExternalStore } from 'react';
import { NavLink, type NavLinkProps, useLocation, useParams } from 'react-router-dom';
import { useText } from '../../text';
import { useStandingQuery } from '../api';
import { useShownEntitlements } from '../moment/scrubbing';
import { usePageMoment } from '../moment/usePageMoment';
import { useWords } from '../words';
import { countedLists } from './lists/counted-lists';
import styles from './Nav.module.css';
import { organizationPages } from './organization-pages';

/**
 * The media query for narrow windows, in which the navigation is a closed menu. The width is the same as in
 * `Nav.module.css`.
 */
const NARROW = '(width < 800px)';

/** The navigation between the pages of an organization. The links keep the moment that the page shows. */
export function Nav() {
  const { id = '' } = useParams();
  const { pathname } = useLocation();
  const { data: standing } = useStandingQuery(id);
  const text = useText();
  const title = useId();
  const isNarrow = useSyncExternalStore(onWidth, () => narrow()?.matches === true);
  const pages = organizationPages.filter(
    ({ reads, isLinked }) => !isLinked && (reads === undefined || standing?.reads.includes(reads)),
  );
  const open = organizationPages.find(({ path }) => pathname.startsWith(`/org/${id}/${path}`));
  return (
    <nav className={styles['nav']} aria-labelledby={title}>
      <h2 id={title} className="unseen">
        {text('nav.title')}
      </h2>
      {isNarrow ? (
        <details key={pathname}>
          <summary>{text(open?.name ?? 'nav.title')}</summary>
          <Links id={id} pages={pages} />
        </details>
      ) : (
        <Links id={id} pages={pages} />
      )}
    </nav>
  );
}

function Links({ id, pages }: Readonly<{ id: string; pages: typeof organizationPages }>) {
  const { kept } = usePageMoment();
  const text = useText();
  return (
    <ul>
      {pages.map(({ path, name }) => (
        <li key={path}>
          <Page {...{ id, path }} to={{ pathname: `/org/${id}/${path}`, search: kept }} name={text(name)} />
        </li>
      ))}
    </ul>
  );
}

type PageOf = Readonly<{ id: string; path: string; to: NavLinkProps['to']; name: string }>;

function Page({ id, path, to, name }: PageOf) {
  const count = useId();
  const limits = Object.values(countedLists).flatMap(({ page, limit }) => (page === path ? [limit] : []));
  if (limits.length === 0) return <NavLink to={to}>{name}</NavLink>;
  return (
    <NavLink to={to} aria-describedby={count}>
      {name}
      <span id={count} aria-hidden="true">
        <Count {...{ id, limits }} />
      </span>
    </NavLink>
  );
}

type CountOf = Readonly<{ id: string; limits: readonly (keyof Entitlements['limits'])[] }>;

/** The number of entries that the limits count, at the moment that the page shows. */
function Count({ id, limits }: CountOf) {
  const { number } = useWords();
  const entitlements = useShownEntitlements(id);
  return entitlements && number(limits.reduce((sum, limit) => sum + entitlements.limits[limit].used, 0));
}

const narrow = () => (typeof window.matchMedia === 'function' ? window.matchMedia(NARROW) : undefined);

function onWidth(changed: () => void): () => void {
  const list = narrow();
  list?.addEventListener('change', changed);
  return () => list?.removeEventListener('change', changed);
}
