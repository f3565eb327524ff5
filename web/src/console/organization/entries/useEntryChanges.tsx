import type { Entitlements, Receipt } from '@charter/client';
import { type ReactNode, useRef, useState } from 'react';
import { CommandNote } from '../../commands/CommandNote';
import { DoneNote, useResult } from '../../commands/DoneNote';
import { useCommand } from '../../commands/useCommand';
import { useRights } from '../../commands/useRights';
import { useDrafting } from '../../drafting/drafting-context';
import controlStyles from '../../page-parts/Controls.module.css';
import { useSingleKey } from '../../page-parts/useSingleKey';
import { useWords } from '../../words';
import { typed } from '../history/wording/typed-text';
import { AddEntryDialog } from './AddEntryDialog';
import { type ChangedList, removalOf } from './changed-lists';
import { RemoveEntryDialog } from './RemoveEntryDialog';

type Entry = Readonly<{ _id: string; hostname: string; unicode: string }>;

type ChangesOf = Readonly<{
  id: string;
  /** The name of the organization. */
  organization: string;
  /** Undefined until the service has answered. */
  entitlements: Entitlements | undefined;
  list: ChangedList;
  /**
   * Whether the keyboard shortcut `i` adds an entry to this list. If a page has several lists, the shortcut belongs to
   * the first list to which the person may add.
   */
  hasKey?: boolean;
}>;

/** The controls that add hostnames to a list and remove them, and the outcome of the last change. */
export function useEntryChanges({ id, organization, entitlements, list, hasKey = false }: ChangesOf) {
  const { text } = useWords();
  const { may } = useRights(id);
  const { isOpen: isDrafting } = useDrafting();
  const removal = useCommand(id);
  const [dialog, setDialog] = useState<'add' | Entry>();
  const { result, say } = useResult();
  const opener = useRef<HTMLButtonElement>(null);
  const status = useRef<HTMLParagraphElement>(null);
  const isRemoved = useRef(false);
  const isGateOpen = entitlements?.limits[list.resource].gate?.on !== false;
  const mayAdd = may(list.command) && entitlements !== undefined && (isGateOpen || isDrafting);
  const add = () => {
    opener.current?.focus(); // after the dialog, the focus returns to this button
    setDialog('add');
  };
  useSingleKey('i', hasKey && mayAdd ? add : undefined);
  const closed = () => {
    setDialog(undefined);
    if (isRemoved.current) (opener.current ?? status.current)?.focus(); // the row with the pressed button is gone
    isRemoved.current = false;
  };
  const removed = ({ unicode }: Entry, receipt: Receipt) => {
    isRemoved.current = true;
    say(text('entries.done.removed', { hostname: typed(unicode) }), receipt);
  };
  return {
    /** The button that adds an entry, the open dialog, and the outcome of the last change. */
    controls: (
      <>
        {mayAdd && (
          <button
            ref={opener}
            type="button"
            className={controlStyles['primary']}
            aria-haspopup="dialog"
            aria-keyshortcuts={hasKey ? 'i' : undefined}
            onClick={add}
          >
            {text(list.add)}
          </button>
        )}
        <DoneNote ref={status} {...{ id, result }} />
        <CommandNote command={removal} />
        {dialog === 'add' && entitlements && (
          <AddEntryDialog
            {...{ id, list, entitlements }}
            onClose={closed}
            onAdded={(hostname, receipt) => say(text('entries.done.added', { hostname: typed(hostname) }), receipt)}
          />
        )}
        {typeof dialog === 'object' && (
          <RemoveEntryDialog
            {...{ id, organization }}
            removal={removalOf(list, dialog._id)}
            hostname={dialog.unicode}
            effect={list.effect}
            onClose={closed}
            onRemoved={(receipt) => removed(dialog, receipt)}
          />
        )}
      </>
    ),
    /** The button that removes an entry; undefined if the person may not remove entries. */
    removeOf: may(list.remove)
      ? (entry: Entry): ReactNode => (
          <button
            type="button"
            className={controlStyles['button']}
            aria-haspopup={isDrafting ? undefined : 'dialog'}
            onClick={() => {
              say('');
              if (isDrafting) removal.runOrDraft(removalOf(list, entry._id));
              else setDialog(entry);
            }}
          >
            {text(isDrafting ? 'entries.remove' : 'entries.remove.menu')}{' '}
            <span className="unseen">
              <bdi>{entry.unicode}</bdi>
            </span>
          </button>
        )
      : undefined,
  };
}
