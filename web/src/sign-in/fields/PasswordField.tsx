import { type ComponentPropsWithRef, type KeyboardEvent, useState } from 'react';
import { useText } from '../../text';
import styles from './Field.module.css';

type PasswordFieldOf = Readonly<
  { id: string; label: string; busy: boolean; describedBy: string } & ComponentPropsWithRef<'input'>
>;

/**
 * A password field with a button that shows the password, and a Caps Lock hint. When the person submits the form, the
 * password is hidden again, so that password managers recognize the field.
 */
export function PasswordField({ id, label, busy, describedBy, ...input }: PasswordFieldOf) {
  const text = useText();
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const checkCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      <div className={styles['box']}>
        <input
          id={id}
          name={id}
          type={shown && !busy ? 'text' : 'password'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          aria-describedby={`${describedBy} caps-lock`}
          onKeyDown={checkCapsLock}
          onKeyUp={checkCapsLock}
          onBlur={() => setCapsLock(false)}
          {...input}
        />
        <button
          type="button"
          className={styles['eye']}
          aria-pressed={shown}
          aria-label={text('password.show')}
          onClick={() => setShown(!shown)}
        >
          <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
            <path d="M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7-10-7-10-7Z" />
            <circle cx="12" cy="12" r="3" />
            {shown && <path d="m4 4 16 16" />}
          </svg>
        </button>
      </div>
      <p id="caps-lock" className={styles['hint']} role="status">
        {capsLock && `⇪ ${text('password.caps-lock')}`}
      </p>
    </div>
  );
}
