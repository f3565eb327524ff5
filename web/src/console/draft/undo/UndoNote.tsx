import type { Undo } from '@charter/client';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { useUndoQuery } from '../../api';
import { RefusalOrTrouble } from '../../commands/RefusalOrTrouble';
import {
  eventGroups,
  groupAbout,
  type HistoryGroup,
  subjectOfType,
  typesIn,
} from '../../organization/history/wording/event-types';
import cardStyles from '../../page-parts/Card.module.css';
import { useConsoleConfig } from '../../page-config-context';
import { isCallFailure } from '../../problem';
import styles from '../Draft.module.css';
import { type DraftCommand, hasEmailAddress } from '../address/draft-address';
import { commandInWords } from '../words/command-words';
import { useDraftWords } from '../words/useDraftWords';
import type { UndoneEvents } from './undo-request';

type Words = ReturnType<typeof useDraftWords>;
type NoteOf = Readonly<{
  id: string;
  request: UndoneEvents;
  /**
   * The commands of the draft in the address. The page shows the ids of new entries from these commands, because each
   * answer of the service has other ids.
   */
  commands: readonly DraftCommand[];
  /**
   * Opens the draft with these commands, if it is still wanted when its address is known; undefined if the address
   * already contains a draft.
   */
  open: ((commands: readonly DraftCommand[], isWanted: () => boolean) => Promise<void>) | undefined;
}>;

/** Asks the service for the commands that undo events, and says which values these commands do not restore. */
export function UndoNote({ id, request, commands, open }: NoteOf) {
  const words = useDraftWords(id);
  const { text, number } = words;
  const { data, error, isFetching, refetch } = useUndoQuery({ id, request });
  const withEmail = open && data?.commands.filter((command) => hasEmailAddress(JSON.stringify(command.data)));
  const isLinkable = !withEmail?.length;
  const choices = useRef(0); // after a new choice of parts, the draft of the earlier parts must not open
  const begin = useEffectEvent((undo: Undo) => {
    const before = choices.current;
    if (undo.commands.length > 0 && isLinkable) void open?.(undo.commands, () => before === choices.current);
  });
  useEffect(() => {
    if (data && !isFetching) begin(data);
  }, [data, isFetching]);
  const [first, last] = 'events' in request ? request.events : 'event' in request ? [request.event, request.event] : [];
  return (
    <section
      className={cardStyles['card']}
      aria-labelledby="undo"
      aria-busy={isFetching}
      onChange={() => (choices.current += 1)}
    >
      <h2 id="undo">
        {'to' in request
          ? text('undo.to', { event: number(request.to) })
          : text('undo.events', { first: number(first!), last: number(last!), count: last! - first! + 1 })}
      </h2>
      {'to' in request && <Parts chosen={request.only ?? []} words={words} />}
      {isCallFailure(error) &&
        !isFetching &&
        (error.reason === 'nothing-to-undo' ? (
          <p role="alert">{text('undo.nothing')}</p>
        ) : (
          <RefusalOrTrouble name={text('undo.commands')} failure={error} retry={refetch} />
        ))}
      {data && error === undefined && isLinkable && <LeftOpen {...{ id, commands, words }} undo={data} />}
      {data && error === undefined && !isLinkable && (
        <div role="alert">
          <p>{text('undo.e-mail-address')}</p>
          <ul>
            {withEmail.map((command) => (
              <li key={JSON.stringify(command)}>{commandInWords(command, words)}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

type LeftOf = Pick<NoteOf, 'id' | 'commands'> & Readonly<{ undo: Undo; words: Words }>;

/** The values that the commands do not restore, and why. */
function LeftOpen({ id, undo, commands, words }: LeftOf) {
  const { text, number, list } = words;
  const { exact: isExact, leaves, later, more } = undo;
  const areMembersAddedAgain = commands.some(({ type }) => type === 'AddMember');
  const bought = commands.flatMap(({ type, data }) => (type === 'PurchaseAddOn' ? [String(data['purchase'])] : []));
  if (isExact)
    return (
      <>
        <p>{text('undo.exact')}</p>
        {areMembersAddedAgain && <p>{text('undo.members-again')}</p>}
      </>
    );
  return (
    <>
      {undo.commands.length === 0 && <p role="alert">{text('undo.no-commands')}</p>}
      <ul>
        {leaves.map(({ path, why }) => (
          <li key={`${path} ${why}`}>
            {text(gapMessage(path, why, words), { what: valueInWords(path, words), purchases: list(bought) })}
            {unrestorable.test(path) && (
              <>
                {' '}
                <Link to={`/org/${id}/settings`}>{text('nav.settings')}</Link>
              </>
            )}
          </li>
        ))}
        {later.map(({ path, revision, type }) => (
          <li key={path}>
            {text(isRemoved(path, undo.commands) ? 'undo.later.removed' : 'undo.later', {
              what: valueInWords(path, words),
            })}{' '}
            <Link to={`/org/${id}/history/${revision}`}>#{number(revision)}</Link> <code>{type}</code>
          </li>
        ))}
        {areMembersAddedAgain && <li>{text('undo.members-again')}</li>}
        {more !== undefined && <li>{text('undo.more', { more })}</li>}
      </ul>
    </>
  );
}

/**
 * The message about a value that the commands do not restore. For example, no command makes a product “never switched”
 * again.
 */
const gapMessage = (path: string, why: Undo['leaves'][number]['why'], { productKey }: Words): string =>
  why === 'no-command' && path === `/${productKey}` ? 'undo.gap.never-set' : `undo.gap.${why}`;

/** Whether a command removes the entry that contains the value at this path. */
const isRemoved = (path: string, commands: readonly DraftCommand[]): boolean =>
  commands.some(
    ({ type, data }) =>
      /^(Remove|Cancel)/.test(type) && Object.values(data).some((id) => path.split('/').includes(String(id))),
  );

/** The value at a path of the document, such as `Members: Ben Okafor`. */
function valueInWords(path: string, words: Words): string {
  const [, field = '', ...rest] = path.split('/');
  const part = partOfField(path, words.productKey);
  if (part !== undefined) return words.text(part);
  const group = groupAbout(field);
  const title = group === undefined ? field : words.text(`group.${group}`);
  const id = rest[0] === 'domains' ? rest[1] : rest[0];
  if (id === undefined) return title;
  if (field === 'members') return `${title}: ${words.person(id)}`;
  if (field === 'addOns') return `${title}: ${words.purchase(id)}`;
  return `${title}: ${words.has(`resource.${id}`) ? words.name(id) : words.thing(id)}`;
}

/** The message with the name of a setting. The document and the events have different field names for some settings. */
function partOfField(path: string, product: string): string | undefined {
  const setting = subjectsIn('settings').find((subject) => pathOfSubject(subject, product) === path);
  if (setting !== undefined) return `part.${setting}`;
  return { '/limits/override': 'part.override', '/closed': 'part.closed' }[path];
}

/** The path in the document at which the service names the values of a subject of events. */
const pathOfSubject = (subject: string, product: string): string =>
  ({ product: `/${product}`, parallelUse: `/${product}Details/parallelUse` })[subject] ?? `/${subject}`;

/** The subjects of events in a group that an undo can restore. */
const subjectsIn = (group: HistoryGroup): readonly string[] =>
  [...new Set(typesIn(group).map(subjectOfType))].filter((subject) => !unrestorable.test(subject));
/** The paths of values that no command of a draft restores. The service refuses these paths in `only`. */
const unrestorable = /^\/?(singleSignOn|emailDomains)/;

const lastGroups: readonly HistoryGroup[] = ['settings', 'limits'];
/** The groups of values that an undo can restore. Founding, billing and traffic are facts that stay. */
const groups: readonly HistoryGroup[] = [
  ...eventGroups.filter((group) => ![...lastGroups, 'founding', 'billing', 'traffic'].includes(group)),
  ...lastGroups,
];

/** The parts of an organization that a person can restore separately, each with its paths in the document. */
const partsOf = (productKey: string): readonly (readonly [group: string, paths: readonly string[]])[] =>
  groups.map((group) => [`group.${group}`, subjectsIn(group).map((subject) => pathOfSubject(subject, productKey))]);

/**
 * Checkboxes for the parts of the organization that the draft restores. Without a choice, the draft restores all parts.
 * Each choice opens a new draft.
 */
function Parts({ chosen, words: { text } }: Readonly<{ chosen: readonly string[]; words: Words }>) {
  const { productKey } = useConsoleConfig().facts;
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const choose = (paths: readonly string[], isChosen: boolean) => {
    const address = new URLSearchParams(search);
    const only = isChosen ? [...chosen, ...paths] : chosen.filter((path) => !paths.includes(path));
    if (only.length === 0) address.delete('only');
    else address.set('only', only.join(','));
    void navigate({ pathname, search: address.toString() });
  };
  return (
    <fieldset className={styles['parts']}>
      <legend>{text('undo.parts')}</legend>
      {partsOf(productKey).map(([group, paths]) => (
        <label key={group}>
          <input
            type="checkbox"
            checked={chosen.includes(paths[0]!)}
            onChange={({ target }) => choose(paths, target.checked)}
          />{' '}
          {text(group)}
        </label>
      ))}
    </fieldset>
  );
}
