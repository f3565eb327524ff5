import { createContext, useContext } from 'react';
import type { DraftCommand } from '../draft/address/draft-address';
import type { DraftFlaw } from '../draft/address/read-draft';

type DraftingControls = Readonly<{
  /** Whether the controls of the page add their commands to a draft. Always false while the page shows the past. */
  isOpen: boolean;
  /**
   * Adds commands at the end of the draft, and begins a draft if none is open. If the draft cannot contain the
   * commands, returns the reason and adds no command. @throws if the browser cannot fetch the script of drafts
   */
  add: (commands: readonly DraftCommand[]) => Promise<DraftFlaw | undefined>;
  /** Whether the person may start a draft here. */
  mayStart: boolean;
  start: () => void;
  /** Removes the draft from the address. */
  stop: () => void;
  /** Call this function after a commit of a draft: the links to other pages then do not contain this draft. */
  forgetCommitted: (draft: string) => void;
  /**
   * Whether links to other pages leave out the draft of the current address, because the person has committed the
   * draft.
   */
  hasEnded: () => boolean;
}>;

const nothing = () => undefined;
export const DraftingContext = createContext<DraftingControls>({
  ...{ isOpen: false, add: () => Promise.resolve(undefined), mayStart: false },
  hasEnded: () => false,
  ...{ start: nothing, stop: nothing, forgetCommitted: nothing },
});

/** The draft to which the controls of the organization's pages add commands. */
export const useDrafting = (): DraftingControls => useContext(DraftingContext);
