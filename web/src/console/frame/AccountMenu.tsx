import { useLingui } from '@lingui/react';
import { ChevronDown, LogOut, User } from 'lucide-react';
import { useId, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router-dom';
import { accountZone } from '../../choices/account-choices';
import { singleKeys } from '../../choices/single-keys';
import type { StoredChoice } from '../../choices/stored-choice';
import { theme } from '../../choices/theme';
import { deviceZone, timeZone, zoneNameOf } from '../../choices/time-zone';
import { languages } from '../../languages';
import { useText } from '../../text';
import { RequestButton } from '../../ui/RequestButton';
import { useChangePreferencesMutation } from '../api';
import { useConsoleConfig } from '../page-config-context';
import styles from './AccountMenu.module.css';
import { MenuChoice, MenuGroup } from './MenuItems';
import { useLogOut } from './useLogOut';
import { useMenu } from './useMenu';

/** The menu of the signed-in person: the account, the choices about the pages, and “Log out”. */
export function AccountMenu() {
  const { facts, speak } = useConsoleConfig();
  const { i18n } = useLingui();
  const text = useText();
  const { isOpen, root, button, press, toggle } = useMenu();
  const hasSingleKeys = useChoice(singleKeys) === 'on';
  const zone = useChoice(timeZone);
  const otherZone = [zone, accountZone()].find((choice) => !['', 'utc', 'local'].includes(choice));
  const colours = useChoice(theme);
  const { leave, leaving, failed } = useLogOut();
  const [store, { isError: notStored }] = useChangePreferencesMutation();
  const [isUnspoken, setUnspoken] = useState(false);
  const chooseZone = (choice: string) => {
    timeZone.choose(choice);
    void store({ timeZone: zoneNameOf(choice) });
  };
  const chooseLanguage = (language: string) => {
    setUnspoken(false);
    speak(language).then(
      (isSet) => isSet && void store({ language }),
      () => setUnspoken(true),
    );
  };
  const chooseKeys = (keys: boolean) => {
    singleKeys.choose(keys ? 'on' : 'off');
    void store({ keys });
  };
  const menu = useId();
  return (
    <div ref={root} className={styles['menu']} onKeyDown={press}>
      <button
        ref={button}
        type="button"
        className={styles['button']}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menu : undefined}
        onClick={toggle}
      >
        <span className={styles['who']}>{facts.accountName || text('top.account')}</span>
        <ChevronDown size={18} />
      </button>
      {isOpen && (
        <div className={styles['sheet']}>
          <div id={menu} role="menu" aria-label={text('top.account')}>
            <Link to="/me" role="menuitem" tabIndex={-1}>
              <User size={18} />
              {text('top.me')}
            </Link>
            <MenuGroup name={text('top.language')}>
              {Object.entries(languages).map(([code, name]) => (
                <MenuChoice
                  key={code}
                  isChosen={i18n.locale === code}
                  onChoose={() => chooseLanguage(code)}
                  lang={code}
                >
                  {name}
                </MenuChoice>
              ))}
            </MenuGroup>
            <MenuGroup name={text('top.zone')}>
              <MenuChoice isChosen={zone === 'utc'} onChoose={() => chooseZone('utc')}>
                {text('top.zone.utc')}
              </MenuChoice>
              <MenuChoice isChosen={zone === 'local'} onChoose={() => chooseZone('local')}>
                {text('top.zone.local', { zone: deviceZone() })}
              </MenuChoice>
              {otherZone !== undefined && (
                <MenuChoice isChosen={zone === otherZone} onChoose={() => chooseZone(otherZone)}>
                  {otherZone}
                </MenuChoice>
              )}
            </MenuGroup>
            <MenuGroup name={text('top.theme')}>
              {(['system', 'light', 'dark'] as const).map((one) => (
                <MenuChoice key={one} isChosen={colours === one} onChoose={() => theme.choose(one)}>
                  {text(themes[one])}
                </MenuChoice>
              ))}
            </MenuGroup>
            <MenuGroup name={text('keys.title')}>
              <MenuChoice role="menuitemcheckbox" isChosen={hasSingleKeys} onChoose={() => chooseKeys(!hasSingleKeys)}>
                {text('top.single-keys')}
              </MenuChoice>
            </MenuGroup>
            <RequestButton role="menuitem" tabIndex={-1} isBusy={leaving} onClick={leave}>
              <LogOut size={18} />
              {text('top.log-out')}
            </RequestButton>
          </div>
          <p role="alert">
            {(failed && text('top.log-out.failed')) ||
              (isUnspoken && text('trouble.region', { name: text('top.language') })) ||
              (notStored && text('top.choice.not-stored'))}
          </p>
        </div>
      )}
    </div>
  );
}

const themes = { system: 'top.theme.system', light: 'top.theme.light', dark: 'top.theme.dark' } as const;

const useChoice = <Value extends string>({ listen, current }: StoredChoice<Value>): Value =>
  useSyncExternalStore(listen, current);
