import { useSingleKey } from '../../page-parts/useSingleKey';
import { useText } from '../../../text';
import styles from '../../commands/Command.module.css';
import { UndoTo } from './UndoTo';

type UndoOf = Readonly<{
  id: string;
  /** The first and the last event that the draft undoes. */
  first: number;
  last: number;
}>;

/**
 * The link to the draft that undoes events. A page can have several such links; the key `u` opens the link to undo the
 * newest events.
 */
export function UndoLink({ id, first, last }: UndoOf) {
  const text = useText();
  useSingleKey('u', () => {
    const links = [...document.querySelectorAll<HTMLElement>('[data-undo]')];
    const newest = links.toSorted((one, other) => Number(one.dataset['undo']) - Number(other.dataset['undo'])).at(-1);
    newest?.focus();
    newest?.click();
  });
  return (
    <UndoTo
      id={id}
      query={`undo=${first === last ? first : `${first}..${last}`}`}
      className={styles['undo'] ?? ''}
      aria-keyshortcuts="u"
      data-undo={last}
    >
      {text('undo.open')}
    </UndoTo>
  );
}
