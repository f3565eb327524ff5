import { useOrganizationQuery } from '../../api';
import { PRESENT } from '../../moment/page-moment';
import { useHistoryWords } from '../../organization/history/wording/useHistoryWords';
import type { DraftWords } from './command-words';

const SHORT_ID = 8;

/** The words of the history, and the names of the purchases that the organization holds. */
export function useDraftWords(id: string): DraftWords & ReturnType<typeof useHistoryWords> {
  const words = useHistoryWords(id);
  const { data } = useOrganizationQuery({ id, moment: PRESENT });
  return {
    ...words,
    purchase: (wanted) => {
      const held = data?.addOns.find(({ purchase }) => purchase === wanted);
      return held ? words.addOn(held.addOn) : wanted.slice(0, SHORT_ID);
    },
  };
}
