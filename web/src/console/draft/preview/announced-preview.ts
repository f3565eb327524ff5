import type { Preview } from '@charter/client';
import type { useDraftWords } from '../words/useDraftWords';
import { changedValues } from './changed-values';
import { isOverAllowance } from './PreviewResult';

/** The text that a screen reader announces about a preview. */
export function announcedPreview(
  { limits, features, traffic, state, refused, alsoRefused = [] }: Preview,
  words: ReturnType<typeof useDraftWords>,
): string {
  const { removed, others } = changedValues(state, words);
  const exceeded = Object.values(limits).filter(({ after }) => after.over > 0).length;
  return words.text('draft.announced', {
    refused: (refused ? 1 : 0) + alsoRefused.length,
    ...{ lost: features.lost.length, removed: removed.length, gained: features.gained.length, others: others.length },
    limits: Object.keys(limits).length,
    exceeded: exceeded + (isOverAllowance(traffic.after) && !isOverAllowance(traffic.before) ? 1 : 0),
  });
}
