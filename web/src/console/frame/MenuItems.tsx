import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './AccountMenu.module.css';

/** A group of menu items, with the name of the group above them. */
export function MenuGroup({ name, children }: Readonly<{ name: string; children: ReactNode }>) {
  return (
    <div role="group" aria-label={name}>
      <span className={styles['name']} aria-hidden="true">
        {name}
      </span>
      {children}
    </div>
  );
}

type ChoiceOf = Readonly<{
  role?: 'menuitemradio' | 'menuitemcheckbox';
  isChosen: boolean;
  onChoose: () => void;
  lang?: string;
  children: ReactNode;
}>;

/** A menu item that a person can choose, with a check mark if it is chosen. */
export function MenuChoice({ role = 'menuitemradio', isChosen, onChoose, lang, children }: ChoiceOf) {
  return (
    <button type="button" role={role} aria-checked={isChosen} tabIndex={-1} lang={lang} onClick={onChoose}>
      <Check size={18} data-chosen={isChosen} />
      {children}
    </button>
  );
}
