import { useLingui } from '@lingui/react';
import { ChevronDown, LogOut, User } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Link, useLocation, useMatch } from 'react-router-dom';
import { languages } from '../../languages';
import { useText } from '../../text';
import { useMeQuery, useOrganizationQuery } from '../api';
import { PRESENT } from '../moment/page-moment';
import styles from './Top.module.css';
import { useLogOut } from './useLogOut';
import { useConsoleConfig } from '../page-config-context';

/** The header: product, organization, and the signed-in person. */
export function Top() {
  const { facts } = useConsoleConfig();
  const organization = useMatch('/org/:id/*')?.params.id;
  return (
    <header className={styles['top']}>
      <Link className={styles['brand']} to="/">
        <span className={styles['mark']} aria-hidden="true" />
        {facts.product}
      </Link>
      {organization !== undefined && <Organization id={organization} />}
      <AccountMenu />
    </header>
  );
}

/** The name of the organization. If the person may choose from several organizations, a link leads to their list. */
function Organization({ id }: Readonly<{ id: string }>) {
  const { data } = useOrganizationQuery({ id, moment: PRESENT });
  const { data: me } = useMeQuery(undefined);
  const text = useText();
  const choice = me && (me.role !== null || me.organizations.length > 1);
  return (
    <p className={styles['organization']}>
      <span>{data?.name}</span>
      {choice && <Link to="/">{text('top.choose')}</Link>}
    </p>
  );
}

function AccountMenu() {
  const { facts, speak } = useConsoleConfig();
  const { i18n } = useLingui();
  const text = useText();
  const menu = useRef<HTMLDetailsElement>(null);
  const { leave, leaving, failed } = useLogOut();
  useClosing(menu);

  return (
    <details ref={menu} className={styles['menu']} onKeyDown={(event) => onEscape(event, menu.current)}>
      <summary>
        <span className={styles['who']}>{facts.accountName || text('top.account')}</span>
        <ChevronDown size={18} aria-hidden="true" />
      </summary>
      <div className={styles['sheet']}>
        <Link to="/me">
          <User size={18} aria-hidden="true" />
          {text('top.me')}
        </Link>
        <label>
          {text('top.language')}
          <select value={i18n.locale} onChange={({ target: { value } }) => void speak(value)}>
            {Object.entries(languages).map(([code, name]) => (
              <option key={code} value={code} lang={code}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="button" disabled={leaving} aria-busy={leaving} onClick={leave}>
          <LogOut size={18} aria-hidden="true" />
          {text('top.log-out')}
        </button>
        <p role="alert">{failed && text('top.log-out.failed')}</p>
      </div>
    </details>
  );
}

function onEscape(event: KeyboardEvent, menu: HTMLDetailsElement | null): void {
  if (event.key !== 'Escape' || !menu?.open) return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
}

/** Closes a menu on navigation and on a click outside. */
function useClosing(menu: Readonly<{ current: HTMLDetailsElement | null }>): void {
  const { pathname } = useLocation();
  useEffect(() => {
    if (menu.current) menu.current.open = false;
  }, [pathname, menu]);
  useEffect(() => {
    const beside = ({ target }: Event) => {
      if (menu.current?.open && target instanceof Node && !menu.current.contains(target)) menu.current.open = false;
    };
    document.addEventListener('pointerdown', beside);
    return () => document.removeEventListener('pointerdown', beside);
  }, [menu]);
}
