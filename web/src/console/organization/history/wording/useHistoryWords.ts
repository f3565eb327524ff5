import { useEffect, useMemo } from 'react';
import { useOrganizationQuery } from '../../../api';
import { PRESENT } from '../../../moment/page-moment';
import { usePageMoment } from '../../../moment/usePageMoment';
import { useConsoleConfig } from '../../../page-config-context';
import { type ConsoleWords, useWords } from '../../../words';
import { type KnownNames, knownNames } from './known-names';
import { useFormerMembers } from './useFormerMembers';
import { useOtherNames } from './useOtherNames';
import { sentenceInWords, type DescribedEvent } from './sentences';

export type HistoryWords = ConsoleWords &
  KnownNames &
  Readonly<{
    /** The product key of the second product line; the document's field names for this product begin with it. */
    productKey: string;
    sentence: (event: DescribedEvent) => string;
    /** Whether the page still loads names of former members. */
    isLoadingNames: boolean;
    /** Loads the names of former members again after a failed request; undefined if no request failed. */
    retryNames: (() => unknown) | undefined;
  }>;

/**
 * The words of the console, with functions for the names of people, sites and domains, and for an event as a sentence.
 * The page requests only the names that its texts contain.
 * @param isWithFormerMembers whether to load the names of former members, too
 */
export function useHistoryWords(id: string, { isWithFormerMembers = false } = {}): HistoryWords {
  const words = useWords();
  const { facts } = useConsoleConfig();
  const { moment } = usePageMoment();
  const { data: present } = useOrganizationQuery({ id, moment: PRESENT });
  const { data: shown } = useOrganizationQuery({ id, moment });
  const { others, want } = useOtherNames(id);
  const former = useFormerMembers(id, isWithFormerMembers);
  const sources = useMemo(
    () => ({ documents: [present, shown], facts, others, want }),
    [present, shown, facts, others, want],
  );
  const all = { ...words, ...knownNames(sources, words) };
  const unnamed = former.ids.filter((one) => !all.people.has(one) && !others.has(one));
  useEffect(() => {
    unnamed.forEach(want);
  });
  const isLoadingNames = isWithFormerMembers && (!former.isComplete || unnamed.length > 0);
  const retryNames = former.retry;
  return {
    ...all,
    isLoadingNames,
    retryNames,
    productKey: facts.productKey,
    sentence: (event) => sentenceInWords(event, all),
  };
}
