import type { Receipt } from '@charter/client';
import { CommandDialog } from '../../commands/CommandDialog';
import type { DirectCommand } from '../../commands/own-routes';
import { useCommand } from '../../commands/useCommand';
import { useWords } from '../../words';
import { typed } from '../history/wording/typed-text';

type RemoveOf = Readonly<{
  id: string;
  /** The name of the organization. */
  organization: string;
  /** The command that removes the entry. */
  removal: DirectCommand;
  hostname: string;
  /** The message id of the sentence about the effect of the removal. */
  effect: string;
  onClose: () => void;
  onRemoved: (receipt: Receipt) => void;
}>;

/** Asks before the page removes a hostname from a list. */
export function RemoveEntryDialog({ id, organization, removal, hostname, effect, onClose, onRemoved }: RemoveOf) {
  const { text } = useWords();
  const command = useCommand(id);
  return (
    <CommandDialog
      title={text('entries.remove.title', { hostname: typed(hostname), organization: typed(organization) })}
      send={text('entries.remove')}
      {...{ command, onClose }}
      onSend={() => command.runOrDraft(removal, onRemoved)}
      takesAway
    >
      <p>{text(effect)}</p>
    </CommandDialog>
  );
}
