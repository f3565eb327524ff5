import { useId, useSyncExternalStore } from 'react';
import { NavLink, useLocation, useParams } from 'react-router-dom';
import { useStandingQuery } from '../api';
import { useShownDocument } from '../moment/scrubbing';
import { usePageMoment } from '../moment/usePageMoment';
import { useWords } from '../words';
import styles from './Nav.module.css';
import { organizationPages } from './organization-pages';

/** The width in pixels below which the navigation is a closed menu; the same width as in `Nav.module.css`. */
const NARROW = '(width < 800px)';

/** The navigation between the pages of an organization. The links keep the moment that the page shows. */
export function Nav() {
  const { id = '' } = useParams();
  const { pathname } = useLocation();
  const { data: standing } = useStandingQuery(id);
  const { text } = useWords();
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
  const document = useShownDocument(id);
  const { text, number } = useWords();
  return (
    <ul>
      {pages.map(({ path, name, count }) => (
        <li key={path}>
          <NavLink to={{ pathname: `/org/${id}/${path}`, search: kept }}>
            {text(name)}
            {/* The page itself names its number, so the name of the link stays short. */}
            {count && document && <span aria-hidden="true">{number(count(document))}</span>}
          </NavLink>
        </li>
      ))}
    </ul>
  );
}

const narrow = () => (typeof window.matchMedia === 'function' ? window.matchMedia(NARROW) : undefined);

function onWidth(changed: () => void): () => void {
  const list = narrow();
  list?.addEventListener('change', changed);
  return () => list?.removeEventListener('change', changed);
}
