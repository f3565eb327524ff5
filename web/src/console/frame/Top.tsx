import { useLingui } from '@lingui/react';
import { ChevronDown, LogOut, User } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { languages } from '../../languages';
import { useText } from '../../text';
import styles from './Top.module.css';
import { Tools } from './Tools';
import { useLogOut } from './useLogOut';
import { useConsoleConfig } from '../page-config-context';
import { singleKeys } from '../single-keys';

/** The header: product, organization, and the signed-in person. */
export function Top() {
  const { facts } = useConsoleConfig();
  return (
    <header className={styles['top']}>
      <Link className={styles['brand']} to="/">
        <span className={styles['mark']} aria-hidden="true" />
        {facts.product}
      </Link>
      <Tools />
      <AccountMenu />
    </header>
  );
}

function AccountMenu() {
  const { facts, speak } = useConsoleConfig();
  const { i18n } = useLingui();
  const text = useText();
  const menu = useRef<HTMLDetailsElement>(null);
  const hasSingleKeys = useSyncExternalStore(singleKeys.listen, singleKeys.areOn);
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
        <label>
          {text('top.single-keys')}
          <input
            type="checkbox"
            checked={hasSingleKeys}
            onChange={({ target: { checked } }) => singleKeys.choose(checked)}
          />
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
