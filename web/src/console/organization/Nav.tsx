import { useId } from 'react';
import { NavLink, useParams } from 'react-router-dom';
import { useText } from '../../text';
import { useStandingQuery } from '../api';
import { usePageMoment } from '../moment/usePageMoment';
import styles from './Nav.module.css';
import { organizationPages } from './organization-pages';

/** The navigation between the pages of an organization. The links keep the moment that the page shows. */
export function Nav() {
  const { id = '' } = useParams();
  const { data: standing } = useStandingQuery(id);
  const { kept } = usePageMoment();
  const text = useText();
  const title = useId();
  return (
    <nav className={styles['nav']} aria-labelledby={title}>
      <h2 id={title} className="unseen">
        {text('nav.title')}
      </h2>
      <ul>
        {organizationPages
          .filter(({ reads, isLinked }) => !isLinked && (reads === undefined || standing?.reads.includes(reads)))
          .map(({ path, name }) => (
            <li key={path}>
              <NavLink to={{ pathname: `/org/${id}/${path}`, search: kept }}>{text(name)}</NavLink>
            </li>
          ))}
      </ul>
    </nav>
  );
}
