import { CommandDialog } from '../commands/CommandDialog';
import { useText } from '../../text';

type ReplaceOf = Readonly<{ onReplace: () => void; onClose: () => void }>;

/** Asks before the draft of an undo takes the place of an open draft. */
export default function ReplaceDraft({ onReplace, onClose }: ReplaceOf) {
  const text = useText();
  return (
    <CommandDialog
      title={text('drafting.replace')}
      send={text('drafting.replace.send')}
      takesAway
      onSend={onReplace}
      onClose={onClose}
    >
      <p>{text('drafting.replace.note')}</p>
    </CommandDialog>
  );
}
