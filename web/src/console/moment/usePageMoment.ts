import { type Location, useLocation, useNavigate } from 'react-router-dom';
import { comparedIn, keptSearch, momentIn, type PageMoment, PRESENT, withMoment } from './page-moment';

/** How `show` changes the browser's history; without an option it adds an entry. */
export type ShowOptions = Readonly<{ /** Whether a move has come to rest. */ afterMove?: boolean }>;

/**
 * The moment in the address of the page, and the moment with which the page compares it. `show` adds an entry to the
 * browser's history, unless the page already shows the moment. Consecutive moves by the slider, by steps and by play
 * share one entry, so the Back button leads to the moment before the first of them.
 */
export function usePageMoment() {
  const { pathname, search, hash, state } = useLocation() as Location<EntryState | null>;
  const isAfterMove = state?.afterMove === true;
  const navigate = useNavigate();
  const { address, moment, otherSide, comparedTo, kept } = partsOf(search);
  const show = (next: PageMoment, { afterMove = false }: ShowOptions = {}) => {
    const to = { pathname, search: withMoment(address, next).toString(), hash };
    if (to.search === address.toString()) return; // the page already shows this moment
    void navigate(to, { replace: afterMove && isAfterMove, state: { afterMove } satisfies EntryState });
  };
  const isCompared = otherSide === 'now';
  const compareWith = (side: string) => {
    const next = new URLSearchParams(address);
    if (side === 'now') next.delete('vs');
    else next.set('vs', side);
    void navigate({ pathname, search: next.toString(), hash });
  };
  const compare = () => compareWith(isCompared ? 'none' : 'now');
  return {
    isCompared,
    /** The moment of the other side of the comparison; undefined if the page compares with nothing. */
    comparedTo,
    /** The other side in the address; undefined if the page compares with the present or with nothing. */
    otherSide: otherSide === 'now' || otherSide === 'none' ? undefined : otherSide,
    /** Starts or stops the comparison with the present. */
    compare,
    /** Compares with a revision, a moment, `now`, or `none`. */
    compareWith,
    kept,
    moment: moment ?? PRESENT,
    isUnreadable: moment === undefined,
    evidence: address.get('head'),
    show,
  };
}

/** The state of an entry that `show` has added to the browser's history. */
type EntryState = Readonly<{ afterMove: boolean }>;

/**
 * Returns the parts of an address that concern the moment. Keeps the last result, because each link of a page needs the
 * same parts at each step of the slider.
 */
function partsOf(search: string) {
  if (lastParts?.search !== search) lastParts = { search, ...readParts(new URLSearchParams(search)) };
  return lastParts;
}
let lastParts: (Readonly<{ search: string }> & ReturnType<typeof readParts>) | undefined;

const readParts = (address: URLSearchParams) => ({
  address,
  moment: momentIn(address),
  otherSide: address.get('vs') ?? 'now',
  comparedTo: comparedIn(address),
  kept: keptSearch(address),
});
