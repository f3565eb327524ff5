import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from 'react';
import controlStyles from '../page-parts/Controls.module.css';
import { useWords } from '../words';
import styles from './Command.module.css';

type DialogOf = Readonly<{
  title: string;
  children: ReactNode;
  onClose: () => void;
  /** The words of the button that sends the form; without them, the dialog has no such button. */
  send?: string;
  /** Whether the button that sends is absent or present because of the fields. */
  canSend?: boolean;
  onSend?: (form: HTMLFormElement) => void;
  /** Whether the outcome of the change is not known yet. */
  isBusy?: boolean;
  /**
   * Whether the change removes, closes or ends something. The dialog is then an alert dialog: the focus begins on
   * Cancel.
   */
  isDestructive?: boolean;
}>;

/** A dialog with one form that changes the organization. Escape closes it, and the focus returns to its opener. */
export function CommandDialog({ title, children, onClose, send, onSend, ...more }: DialogOf) {
  const { canSend = true, isBusy = false, isDestructive = false } = more;
  const { text } = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const heading = useId();
  const body = useId();
  useEffect(() => {
    dialog.current?.showModal();
    if (isDestructive) cancel.current?.focus();
  }, [isDestructive]);
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isBusy && canSend) onSend?.(event.currentTarget);
  };
  return (
    <dialog
      ref={dialog}
      role={isDestructive ? 'alertdialog' : undefined}
      className={styles['dialog']}
      aria-labelledby={heading}
      aria-describedby={isDestructive ? body : undefined}
      onClose={onClose}
    >
      <h2 id={heading}>{title}</h2>
      <form method="post" noValidate className={styles['form']} onSubmit={submit}>
        <div id={body} className={styles['body']}>
          {children}
        </div>
        <div className={styles['buttons']}>
          {send !== undefined && (
            <button
              type="submit"
              className={controlStyles[isDestructive ? 'danger' : 'primary']}
              aria-disabled={isBusy || !canSend}
              aria-busy={isBusy}
            >
              {send}
            </button>
          )}
          <button
            ref={cancel}
            type="button"
            className={controlStyles['button']}
            onClick={() => dialog.current?.close()}
          >
            {text(send === undefined ? 'close' : 'cancel')}
          </button>
        </div>
      </form>
    </dialog>
  );
}
