import { useEventsQuery } from '../../../api';
import controlStyles from '../../../page-parts/Controls.module.css';
import { useWords } from '../../../words';
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
 * A button that adds the events that were recorded after the list was loaded. Before the person presses this button, no
 * row moves.
 */
export function NewEvents({ id, filter, seen, head, onShow }: NewOf) {
  const { text } = useWords();
  const isFiltered = isNarrow(filter);
  const { data } = useEventsQuery(
    { id, filter: { ...omit(filter, ['order']), from: String(seen + 1), to: String(head), limit: '100' } },
    { skip: !isFiltered || head <= seen || filter.to !== undefined },
  );
  const count = head <= seen ? 0 : isFiltered ? (data?.events.length ?? 0) : head - seen;
  return (
    <p role="status">
      {count > 0 && (
        <button type="button" className={controlStyles['button']} onClick={onShow}>
          {text('history.new', { count, more: String(data?.next != null && isFiltered) })}
        </button>
      )}
    </p>
  );
}
