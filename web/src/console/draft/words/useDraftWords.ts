import { useOrganizationQuery, useStandingQuery } from '../../api';
import { PRESENT } from '../../moment/page-moment';
import { useConsoleConfig } from '../../page-config-context';
import { useHistoryWords } from '../../organization/history/wording/useHistoryWords';
import type { DraftWords } from './command-words';

const SHORT_ID = 8;

type DocumentWords = Readonly<{
  /** The name of the JSON field for the product of the line `second` in the organization's document. */
  productKey: string;
  /** The name of the organization; empty until the browser has loaded it. */
  organization: string;
  /** How a sentence names the organization: `you` for its members, `it` for all other people. */
  subject: 'you' | 'it';
}>;

/** The words of the history page, and the names of the organization and of its purchases. */
export function useDraftWords(id: string): DraftWords & DocumentWords & ReturnType<typeof useHistoryWords> {
  const words = useHistoryWords(id);
  const { productKey } = useConsoleConfig().facts;
  const { data } = useOrganizationQuery({ id, moment: PRESENT });
  const { data: standing } = useStandingQuery(id);
  const isMember = standing?.roles.some((role) => role !== 'operator' && role !== 'auditor');
  return {
    ...{ ...words, productKey, organization: data?.name ?? '' },
    subject: isMember ? 'you' : 'it',
    purchase: (wanted) => {
      const held = data?.addOns.find(({ purchase }) => purchase === wanted);
      return held ? words.addOn(held.addOn) : wanted.slice(0, SHORT_ID);
    },
  };
}
