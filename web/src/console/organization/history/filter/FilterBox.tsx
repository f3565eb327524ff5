import { type KeyboardEvent, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react';
import controlStyles from '../../../page-parts/Controls.module.css';
import { useSingleKey } from '../../../page-parts/useSingleKey';
import type { HistoryWords } from '../wording/useHistoryWords';
import type { HistoryFilter } from './event-filter';
import styles from './FilterBox.module.css';
import { FILTER_LENGTH_MAX, type FilterNames, readFilter, textOf } from './filter-text';
import { lastWord, suggestionsFor } from './suggestions';
import { useFilterNames } from './useFilterNames';

type BoxOf = Readonly<{
  id: string;
  filter: HistoryFilter;
  words: HistoryWords;
  onChoose: (filter: HistoryFilter) => void;
  /**
   * Runs when the person begins to write a filter. The caller can then load the names of former members, which the
   * filter may contain.
   */
  onBegin: () => void;
}>;

/**
 * One text field for all filters, with suggestions. The list of events changes when the person presses Enter. If the
 * filter contains a name that the page does not know yet, the list changes when the service has found the name.
 */
export function FilterBox({ id, filter, words, onChoose, onBegin }: BoxOf) {
  const { text } = words;
  const [typed, setTyped] = useState('');
  const names = useFilterNames(id, typed, words);
  const shown = textOf(filter, names);
  const [active, setActive] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const [list, problem] = [useId(), useId()];
  const unnamed = textOf(filter, noNames);
  const last = useRef({ shown: '', unnamed: '' });
  useEffect(() => {
    const before = last.current;
    last.current = { shown, unnamed };
    // If only a name has arrived, the field keeps the text that the person has typed.
    setTyped((now) => (unnamed !== before.unnamed || now === before.shown ? shown : now));
  }, [shown, unnamed]);
  useSingleKey('/', () => {
    input.current?.focus();
    input.current?.setSelectionRange(typed.length, typed.length);
  });

  const suggestions = isOpen ? suggestionsFor(typed, names, text) : [];
  const retries = [words.retryNames, names.retrySearch].filter((retry) => retry !== undefined);
  const { problems } = readFilter(typed === shown ? '' : typed, names, Date.now());
  /** The message about a problem. While names are unavailable, an unknown name may still be valid. */
  const messageOf = (message: string) =>
    retries.length > 0 && unknownNames.has(message) ? 'filter.names-failed' : message;
  const choose = (value: string, isRetrying = false) => {
    const reading = readFilter(value, names, Date.now());
    const [problem] = reading.problems;
    const isLoading = isRetrying || words.isLoadingNames || names.isSearching;
    setWaiting(problem !== undefined && unknownNames.has(problem.message) && isLoading);
    setOpen(false);
    if (problem) return;
    onChoose({ ...reading.filter, ...(filter.order !== undefined && { order: filter.order }) });
  };
  useEffect(() => {
    if (isWaiting) choose(typed);
  });
  const insert = (value: string) => {
    setTyped(typed.slice(0, typed.length - lastWord(typed).length) + value);
    setActive(-1);
    input.current?.focus();
  };
  const press = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move !== undefined) {
      event.preventDefault();
      setOpen(true);
      if (suggestions.length > 0)
        setActive((active + move + suggestions.length + (active < 0 && move < 0 ? 1 : 0)) % suggestions.length);
    } else if (event.key === 'Enter' && suggestions[active]) {
      event.preventDefault();
      insert(suggestions[active].insert);
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      setOpen(false);
    }
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    for (const retry of retries) void retry();
    choose(typed, retries.length > 0);
  };
  return (
    <form className={styles['filter']} onSubmit={submit} role="search">
      <label className={controlStyles['search']}>
        {text('filter.label')}
        <input
          ref={input}
          role="combobox"
          value={typed}
          maxLength={FILTER_LENGTH_MAX}
          autoComplete="off"
          spellCheck={false}
          placeholder="type:plan -type:traffic actor:billing after:2026-01-01"
          aria-autocomplete="list"
          aria-expanded={suggestions.length > 0}
          aria-controls={list}
          aria-activedescendant={suggestions[active] ? `${list}-${active}` : undefined}
          aria-describedby={problem}
          aria-invalid={problems.length > 0 && !isOpen}
          onChange={({ target: { value } }) => {
            setTyped(value);
            setWaiting(false);
            setOpen(true);
            setActive(-1);
          }}
          onKeyDown={press}
          onFocus={onBegin}
          onBlur={() => setOpen(false)}
        />
      </label>
      <button type="submit" className={controlStyles['button']}>
        {text('filter.go')}
      </button>
      {shown !== '' && (
        <button
          type="button"
          className={controlStyles['button']}
          onClick={() => {
            input.current?.focus(); // the button disappears, and the focus would be lost with it
            choose('');
          }}
        >
          {text('filter.clear')}
        </button>
      )}
      <ul
        id={list}
        role="listbox"
        aria-label={text('filter.suggestions')}
        className={styles['list']}
        hidden={suggestions.length === 0}
      >
        {suggestions.map(({ insert: value, label }, index) => (
          <li
            key={value}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === active}
            // The option handles `mousedown`, which comes before the field loses the focus; `click` would come after
            // that.
            onMouseDown={(event) => {
              event.preventDefault();
              insert(value);
            }}
          >
            <code>{value.trim()}</code> <span>{label}</span>
          </li>
        ))}
      </ul>
      <p id={problem} role="status" className={styles['problem']}>
        {isWaiting
          ? text('filter.names-loading')
          : problems[0] !== undefined && text(messageOf(problems[0].message), { part: problems[0].part })}
      </p>
    </form>
  );
}

const noNames: FilterNames = { people: new Map(), sites: new Map() };

/** The ids of the messages about a name that the page does not know. The service may still find an unknown name. */
const unknownNames = new Set(['filter.problem.actor', 'filter.problem.about']);
