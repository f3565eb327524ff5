import { useEffect, useRef } from 'react';
import { useMatch } from 'react-router-dom';
import controlStyles from '../page-parts/Controls.module.css';
import { organizationPages } from '../organization/organization-pages';
import { useWords } from '../words';
import styles from './Shortcuts.module.css';

const everywhere = [
  ['Ctrl K', 'keys.find'],
  ['Ctrl .', 'keys.requests'],
  ['?', 'keys.list'],
  ['c', 'keys.copy-link'],
  ['w', 'keys.why'],
  ['Shift W', 'keys.every-why'],
] as const;
const ofOrganization = [
  ['e', 'keys.draft'],
  ['t', 'keys.open-bar'],
  ['[', 'keys.previous'],
  [']', 'keys.next'],
  ['v', 'keys.question'],
  ['d', 'keys.compare'],
  ['Shift ← →', 'keys.ten'],
  ['PgUp PgDn', 'keys.bin'],
  ['Space', 'keys.play'],
  ['n', 'keys.now'],
  ['Esc Esc', 'keys.now'],
] as const;

/** The dialog that lists the keyboard shortcuts: first the shortcuts of this page, then those of all pages. */
export default function Shortcuts({
  onClose,
  inOrganization,
}: Readonly<{ onClose: () => void; inOrganization: boolean }>) {
  const { text } = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const pages = organizationPages.flatMap(({ key, name }) => (key ? [[`g ${key}`, name] as const] : []));
  const path = useMatch('/org/:id/:page/*')?.params.page;
  const own = organizationPages.find((page) => page.path === path)?.keys ?? [];
  const others = inOrganization ? [...everywhere, ...ofOrganization, ...pages] : everywhere;
  const rows = [...own, ...others.filter(([keys]) => !own.some(([other]) => other === keys))];
  return (
    <dialog ref={dialog} className={styles['keys']} aria-label={text('keys.title')} onClose={onClose}>
      <h2>{text('keys.title')}</h2>
      <dl>
        {rows.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{text(does)}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className={controlStyles['button']} onClick={() => dialog.current?.close()}>
        {text('close')}
      </button>
    </dialog>
  );
}
