import { useEventsQuery } from '../../../api';
import { NewEventsButton } from '../../../live/NewEventsButton';
import { type HistoryFilter, isNarrow, omit } from '../filter/event-filter';

type NewOf = Readonly<{
  id: string;
  filter: HistoryFilter;
  /** The last revision of the list; `head` is the last revision of the history. */
  seen: number;
  head: number;
  onShow: () => void;
}>;

/**
 * A button that adds the events that were recorded after the list was loaded. No row moves until the person presses
 * this button.
 */
export function NewEvents({ id, filter, seen, head, onShow }: NewOf) {
  const isFiltered = isNarrow(filter);
  const { data } = useEventsQuery(
    { id, filter: { ...omit(filter, ['order']), from: String(seen + 1), to: String(head), limit: '100' } },
    { skip: !isFiltered || head <= seen || filter.to !== undefined },
  );
  const count = head <= seen ? 0 : isFiltered ? (data?.events.length ?? 0) : head - seen;
  return <NewEventsButton count={count} more={isFiltered && data?.next != null} onShow={onShow} />;
}
