import type { Receipt } from '@charter/client';
import { CommandDialog } from '../../commands/CommandDialog';
import { useCommand } from '../../commands/useCommand';
import { useWords } from '../../words';
import { typed } from '../history/wording/typed-text';

type RemoveOf = Readonly<{
  id: string;
  /** The name of the organization. */
  organization: string;
  /** The path of the entry below the organization's own. */
  path: string;
  hostname: string;
  /** The message id of the effect. */
  effect: string;
  onClose: () => void;
  onRemoved: (receipt: Receipt) => void;
}>;

/** Asks before the page removes a hostname from a list. */
export function RemoveEntryDialog({ id, organization, path, hostname, effect, onClose, onRemoved }: RemoveOf) {
  const { text } = useWords();
  const command = useCommand(id);
  return (
    <CommandDialog
      title={text('entries.remove.title', { hostname: typed(hostname), organization: typed(organization) })}
      send={text('entries.remove')}
      {...{ command, onClose }}
      onSend={() => command.run({ method: 'DELETE', path }, onRemoved)}
      takesAway
    >
      <p>{text(effect)}</p>
    </CommandDialog>
  );
}
