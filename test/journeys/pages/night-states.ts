import { draftStatesAtNight } from './draft-states';
import { furtherDraftStates } from './further-draft-states';
import { furtherStates } from './further-states';
import { inFinnish, type PageState } from './page-state';
import { pageStates } from './page-states';

const inEnglish = [...pageStates, ...draftStatesAtNight, ...furtherDraftStates, ...furtherStates];
const names = new Set(inEnglish.map(({ name }) => name));
const hasFinnish = ({ name }: PageState) => name.endsWith('-finnish') || names.has(`${name}-finnish`);

/** All states of all pages. Each state of the console also appears in Finnish. */
export const allStates: readonly PageState[] = inEnglish.flatMap((state) =>
  hasFinnish(state) || !state.name.startsWith('console-') ? [state] : [state, inFinnish(state)],
);
