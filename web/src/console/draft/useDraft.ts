import { useCallback, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { draftAddress, type DraftCommand } from './address/draft-address';
import { DRAFT_NAME, draftIn, fragmentOf, searchIn } from './address/draft-fragment';
import { type DraftReading, readDraft } from './address/read-draft';

/**
 * The draft in the fragment of the address. `change` opens an address with other commands; the browser's Back button
 * returns to the previous commands. With `isWanted`, the new address replaces the current address, unless `isWanted`
 * returns false when the new address is known: then the person has opened another address meanwhile.
 */
export function useDraft(id: string) {
  const { pathname, search, hash: fragment } = useLocation();
  const hash = draftIn(fragment) ?? fragment;
  const navigate = useNavigate();
  const [read, setRead] = useState<Readonly<{ hash: string; reading: DraftReading }>>();
  useEffect(() => {
    let isCurrent = true;
    void readDraft(hash).then((reading) => isCurrent && setRead({ hash, reading }));
    return () => void (isCurrent = false);
  }, [hash]);
  const change = useCallback(
    async (commands: readonly DraftCommand[], isWanted?: () => boolean) => {
      try {
        const address = commands.length === 0 ? undefined : await draftAddress(id, commands);
        if (isWanted?.() === false) return;
        const draft = address === undefined ? DRAFT_NAME : new URL(address, window.location.href).hash;
        void navigate(
          { pathname, search, hash: fragmentOf({ draft, q: searchIn(fragment) }) },
          { replace: isWanted !== undefined },
        );
      } catch {
        setRead({ hash, reading: { flaw: 'too-long' } }); // the caller has refused e-mail addresses before
      }
    },
    [fragment, hash, id, navigate, pathname, search],
  );
  return { read, change };
}
