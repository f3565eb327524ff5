import type { Preview } from '@charter/client';
import type { ConsoleWords } from '../../words';

/** One sentence about a preview, for assistive software. */
export const announcedPreview = (
  { limits, features, refused, alsoRefused = [] }: Preview,
  { text }: ConsoleWords,
): string =>
  text('draft.announced', {
    refused: (refused ? 1 : 0) + alsoRefused.length,
    lost: features.lost.length,
    limits: Object.keys(limits).length,
    gained: features.gained.length,
  });
