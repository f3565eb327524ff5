import { createContext, useContext } from 'react';
import type { DraftCommand } from '../draft/address/draft-address';
import type { DraftFlaw } from '../draft/address/read-draft';

type DraftingControls = Readonly<{
  /** Whether the controls of the page add their commands to a draft. A page of the past has no such controls. */
  isOpen: boolean;
  /**
   * Adds commands at the end of the draft, and begins a draft if none is open. If the draft cannot contain the
   * commands, returns the reason and adds none of them.
   */
  add: (commands: readonly DraftCommand[]) => Promise<DraftFlaw | undefined>;
  /** Whether the person may start a draft here. */
  mayStart: boolean;
  start: () => void;
  /** Removes the draft from the address. */
  stop: () => void;
  /** Call this after a commit of the draft: the links to other pages then contain no draft. */
  forgetCommitted: () => void;
  /** Whether the draft of the present address is committed. */
  hasEnded: () => boolean;
}>;

const nothing = () => undefined;
export const DraftingContext = createContext<DraftingControls>({
  ...{ isOpen: false, add: () => Promise.resolve(undefined), mayStart: false },
  hasEnded: () => false,
  ...{ start: nothing, stop: nothing, forgetCommitted: nothing },
});

/** The draft that the controls of the organization's pages fill. */
export const useDrafting = (): DraftingControls => useContext(DraftingContext);
