import type { Receipt } from '@charter/client';
import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react';
import controlStyles from '../page-parts/Controls.module.css';
import { RequestButton } from '../../ui/RequestButton';
import { useWords } from '../words';
import styles from './Command.module.css';
import { CommandNote } from './CommandNote';
import type { DirectCommand } from './own-routes';
import { type RunnableCommand, useCommand } from './useCommand';

type DialogOf = Readonly<{
  title: string;
  children: ReactNode;
  /** Runs after the dialog has closed. */
  onClose: () => void;
  /** The change that the dialog sends to the service; undefined if the dialog sends none. */
  command?: RunnableCommand;
  /** The words of the button that calls `onSend`; without these words, the dialog only explains. */
  send?: string;
  /** Whether the form fields contain what the change needs, so that the button can send it. */
  canSend?: boolean;
  onSend?: () => void;
  /** The HTML id of the note about the outcome. A field can refer to this id with `aria-describedby`. */
  noteId?: string;
  /**
   * Whether the change removes something. The dialog is then an alert dialog, and the focus is first on the button
   * Cancel.
   */
  takesAway?: boolean;
}>;

/**
 * A dialog with the form of one change. Escape closes the dialog, and the focus returns to its opener. While the
 * outcome of the change is unknown, a person cannot close the dialog. After the change is done, the dialog closes by
 * itself.
 */
export function CommandDialog({ title, children, onClose, command, send, onSend, ...more }: DialogOf) {
  const { canSend = true, takesAway = false, noteId } = more;
  const { text } = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const opener = useRef(document.activeElement);
  const [heading, body] = [useId(), useId()];
  const isDone = command?.outcome.is === 'done' || command?.outcome.is === 'drafted';
  const isBusy = command?.isBusy === true;
  const [isWarned, setWarned] = useState(false);
  useEffect(() => {
    dialog.current?.showModal();
    if (takesAway) cancel.current?.focus();
  }, [takesAway]);
  useEffect(() => {
    if (isDone) dialog.current?.close();
  }, [isDone]);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isBusy || !canSend) return;
    setWarned(false);
    onSend?.();
  };
  const close = () => {
    if (isBusy) setWarned(true);
    else dialog.current?.close();
  };
  const closed = () => {
    if (isBusy) {
      setWarned(true);
      dialog.current?.showModal(); // some browsers close a dialog after a second Escape
      return;
    }
    if (opener.current instanceof HTMLElement) opener.current.focus();
    onClose();
  };
  return (
    <dialog
      ref={dialog}
      role={takesAway ? 'alertdialog' : undefined}
      className={styles['dialog']}
      aria-labelledby={heading}
      aria-describedby={takesAway ? body : undefined}
      onCancel={(event) => {
        if (!isBusy) return;
        event.preventDefault();
        setWarned(true);
      }}
      onClose={closed}
    >
      <h2 id={heading}>{title}</h2>
      <form method="post" noValidate className={styles['form']} onSubmit={submit}>
        <div id={body} className={styles['body']}>
          {children}
        </div>
        {command && <CommandNote command={command} {...(noteId && { id: noteId })} />}
        {command && <p role="status">{isBusy && isWarned && text('command.not-closed')}</p>}
        <div className={styles['buttons']}>
          {send !== undefined && (
            <RequestButton
              type="submit"
              className={controlStyles[takesAway ? 'danger' : 'primary']}
              isBusy={isBusy}
              aria-disabled={isBusy || !canSend}
            >
              {send}
            </RequestButton>
          )}
          <button ref={cancel} type="button" className={controlStyles['button']} aria-disabled={isBusy} onClick={close}>
            {text(send === undefined ? 'close' : 'cancel')}
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** The words of a question before a change: what changes, what the person loses, and the button. */
export type ChangeQuestion = Readonly<{ title: string; effect: string; send: string }>;

type QuestionOf = Readonly<{
  id: string;
  question: ChangeQuestion;
  wanted: DirectCommand;
  onClose: () => void;
  onDone: (receipt: Receipt) => void;
}>;

/** Asks before a change with which a person could lose rights or features by mistake. */
export function QuestionDialog({ id, question: { title, effect, send }, wanted, onClose, onDone }: QuestionOf) {
  const command = useCommand(id);
  return (
    <CommandDialog {...{ title, send, command, onClose }} onSend={() => command.runOrDraft(wanted, onDone)} takesAway>
      <p>{effect}</p>
    </CommandDialog>
  );
}
