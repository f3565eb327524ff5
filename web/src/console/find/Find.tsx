import { type KeyboardEvent, lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import { TroubleBox } from '../page-parts/TroubleBox';
import type { CallFailure } from '../problem';
import { useText } from '../../text';
import styles from './Find.module.css';
import { type FoundEntry, matching, parsedSearch } from './found';
import { useEntries } from './useEntries';

const Freshness = lazy(() => import('../chooser/Freshness'));

type FindOf = Readonly<{
  /** The id of the organization whose page is open; undefined elsewhere. */
  organization: string | undefined;
  /**
   * Whether the dialog finds only organizations. The menu with the organization's name opens the dialog in this way.
   */
  onlyOrganizations: boolean;
  onClose: () => void;
  /** The actions that the dialog offers, such as showing the list of sent requests. */
  actions: readonly FoundEntry[];
}>;

/** The dialog that finds pages, organizations, members, sites, events by number, and actions. */
export default function Find({ organization, onlyOrganizations, onClose, actions }: FindOf) {
  const text = useText();
  const [isForOrganizations, setForOrganizations] = useState(onlyOrganizations);
  const title = text(isForOrganizations ? 'top.choose' : 'find.title');
  const dialog = useRef<HTMLDialogElement>(null);
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState(0);
  const list = useId();
  const { entries, lagSeconds, requests } = useEntries({
    ...{ organization, search, actions },
    onlyOrganizations: isForOrganizations,
    onAllOrganizations: () => setForOrganizations(true),
  });
  const found = matching(entries, parsedSearch(search).search);
  const groups = [...new Set(found.map(({ group }) => group))];
  const shown = groups.flatMap((group) => found.filter((entry) => entry.group === group));
  const active = shown[Math.min(chosen, shown.length - 1)];
  const failed = requests.find(({ isLoading, error }) => !isLoading && error !== undefined);
  const loading = requests.find(({ isLoading }) => isLoading);
  useEffect(() => dialog.current?.showModal(), []);
  const activeId = active && `${list}-${active.id}`;
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  const open = (entry: FoundEntry | undefined) => {
    if (!entry) return;
    if (!entry.keepsOpen) dialog.current?.close();
    entry.open();
  };
  const press = (event: KeyboardEvent) => {
    const by = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key];
    if (by !== undefined && shown.length > 0) {
      event.preventDefault();
      setChosen((chosen + by + shown.length) % shown.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      open(active);
    }
  };
  return (
    <dialog ref={dialog} className={styles['find']} aria-label={title} onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label={title}
        aria-expanded={shown.length > 0}
        aria-controls={list}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={isForOrganizations ? '' : text('find.placeholder')}
        value={search}
        onKeyDown={press}
        onChange={({ target }) => {
          setSearch(target.value);
          setChosen(0);
        }}
      />
      <div id={list} role="listbox" aria-label={text('find.results')}>
        {groups.map((group) => (
          <div key={group} role="group" aria-label={text(group)}>
            <p aria-hidden="true">{text(group)}</p>
            {shown
              .filter((entry) => entry.group === group)
              .map((entry) => (
                <div
                  key={entry.id}
                  id={`${list}-${entry.id}`}
                  role="option"
                  aria-selected={entry === active}
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => open(entry)}
                >
                  <bdi>{entry.title}</bdi>
                  {entry.detail !== undefined && <code>{entry.detail}</code>}
                </div>
              ))}
          </div>
        ))}
      </div>
      <p role="status">
        {shown.length > 0 || (!loading && !failed)
          ? text('find.count', { count: shown.length })
          : loading && text('loading', { name: text(loading.group) })}
      </p>
      {failed && <TroubleBox name={text(failed.group)} trouble={failed.error as CallFailure} retry={failed.refetch} />}
      {lagSeconds > 1 && groups.includes('find.organizations') && (
        <Suspense fallback={null}>
          <Freshness lagSeconds={lagSeconds} />
        </Suspense>
      )}
    </dialog>
  );
}
