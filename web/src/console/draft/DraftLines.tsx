import type { Preview } from '@charter/client';
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import cardStyles from '../page-parts/Card.module.css';
import copyStyles from '../page-parts/CopyButton.module.css';
import { malformedInWords } from '../commands/refusal-words';
import { commandInWords } from './words/command-words';
import styles from './Draft.module.css';
import { DRAFT_COMMANDS_MAX, type DraftCommand } from './address/draft-address';
import { RefusedLine } from './preview/RefusedLine';
import type { useDraftWords } from './words/useDraftWords';

type Words = ReturnType<typeof useDraftWords>;
type LinesOf = Readonly<{
  id: string;
  commands: readonly DraftCommand[];
  words: Words;
  /** Undefined until the service has answered. */
  preview: Preview | undefined;
  /** The JSON fields of the commands that the service does not accept. */
  errors: readonly Readonly<{ path: string; message: string }>[];
  isEditable: boolean;
  change: (commands: readonly DraftCommand[]) => Promise<void>;
}>;

/**
 * The commands of a draft in words, each with the reason if the service would refuse it. The person can move and remove
 * each line.
 */
export function DraftLines({ id, commands, words, preview, errors, isEditable, change }: LinesOf) {
  const { text, number } = words;
  const list = useRef<HTMLOListElement>(null);
  /**
   * The button that gets the focus after the person has moved or removed a line, because the pressed button may be
   * gone.
   */
  const next = useRef<Readonly<{ index: number; icon: typeof X }>>(undefined);
  useEffect(() => {
    if (next.current === undefined) return;
    const { index, icon } = next.current;
    next.current = undefined;
    const line = list.current?.children.item(Math.min(index, commands.length - 1));
    const button = line?.querySelector<HTMLElement>(`[data-act=${names.get(icon)}]`) ?? line?.querySelector('button');
    button?.focus();
  }, [commands]);
  const step = (to: readonly DraftCommand[], index: number, icon: typeof X) => {
    next.current = { index, icon };
    if (to.length === 0) document.querySelector('h1')?.focus(); // the page then shows no line
    return change(to);
  };
  const moved = (index: number, by: number) => {
    const lines = [...commands];
    const [one] = lines.splice(index, 1);
    lines.splice(index + by, 0, one!);
    return lines;
  };
  return (
    <section className={cardStyles['card']} aria-labelledby="lines">
      <h2 id="lines">{text('draft.lines', { count: commands.length })}</h2>
      <ol ref={list} className={styles['lines']}>
        {keyed(commands).map(({ command, key }, index) => {
          const line = { line: number(index + 1) };
          return (
            <li key={key}>
              <div className={styles['line']}>
                <span>
                  {commandInWords(command, words)} <code>{command.type}</code>
                </span>
                <LineState
                  {...{ id, index, words, preview, errors }}
                  insert={
                    isEditable && commands.length < DRAFT_COMMANDS_MAX
                      ? (added) => void step(commands.toSpliced(index, 0, added), index, X)
                      : undefined
                  }
                />
              </div>
              {isEditable && (
                <span className={styles['acts']}>
                  {index > 0 && (
                    <Act
                      label={text('draft.up', line)}
                      icon={ArrowUp}
                      act={() => step(moved(index, -1), index - 1, ArrowUp)}
                    />
                  )}
                  {index < commands.length - 1 && (
                    <Act
                      label={text('draft.down', line)}
                      icon={ArrowDown}
                      act={() => step(moved(index, 1), index + 1, ArrowDown)}
                    />
                  )}
                  <Act
                    label={text('draft.take-out', line)}
                    icon={X}
                    act={() => step(commands.toSpliced(index, 1), index, X)}
                  />
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** The commands, each with a React key that stays the same when the command moves. Equal commands are numbered. */
function keyed(commands: readonly DraftCommand[]) {
  const seen = new Map<string, number>();
  return commands.map((command) => {
    const text = JSON.stringify([command.type, command.data]);
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    return { command, key: `${count} ${text}` };
  });
}

/** The value of the attribute `data-act`, by which the page finds a button of each kind. */
const names: ReadonlyMap<typeof X, string> = new Map([
  [ArrowUp, 'up'],
  [ArrowDown, 'down'],
  [X, 'take-out'],
]);

type ActOf = Readonly<{ label: string; icon: typeof X; act: () => Promise<void> }>;

function Act({ label, icon: Icon, act }: ActOf) {
  return (
    <button
      type="button"
      className={copyStyles['copy']}
      aria-label={label}
      data-act={names.get(Icon)}
      onClick={() => void act()}
    >
      <Icon size={16} />
    </button>
  );
}

type StateOf = Pick<LinesOf, 'id' | 'words' | 'preview' | 'errors'> &
  Pick<Parameters<typeof RefusedLine>[0], 'index' | 'insert'>;

/** Why the service refuses or does not understand the command of a line, and what would help. */
function LineState({ id, index, words, preview, errors, insert }: StateOf) {
  const malformed = malformedInWords(errors, index, words);
  if (malformed) return <p className={styles['refused']}>{malformed}</p>;
  return <RefusedLine {...{ id, preview, index, words, insert }} />;
}
