import type { Preview } from '@charter/client';
import { isDocumentList } from '../../document-lists';
import { linesOf } from '../../organization/history/differences/difference-lines';
import type { DraftWords } from '../words/command-words';
import type { useDraftWords } from '../words/useDraftWords';

type ChangedValue = Readonly<{ path: string; title: string; before: string; after: string }>;
type StateLine = Preview['state'][number];

/**
 * The document's fields that the preview shows in another place, and the fields that always change together with
 * another field.
 */
const shownElsewhere = /^\/(since|limits|closure)\b|\/(since|roleSince|effectiveAt|unicode)(\/|$)/;

/**
 * The changes of the organization's document, without the features and limits.
 * @returns the removed entries of lists and the cancelled add-ons, and all other values before and after
 */
export function changedValues(
  state: Preview['state'],
  words: ReturnType<typeof useDraftWords>,
): Readonly<{ removed: readonly ChangedValue[]; others: readonly ChangedValue[] }> {
  const none = words.text('moment.none');
  const lines = state
    .flatMap((line) => historyLine(line, words.productKey))
    .map((line) => ({ ...line, causes: [], causesInAll: 0 }));
  const values = linesOf({ state: lines, entitlements: { limits: {}, features: {} } }, words).map(
    ({ path, title, before = none, after = none }) => ({ path, before, after, title: titleAt(path, words) ?? title }),
  );
  const isRemoval = ({ path }: ChangedValue) => lines.some((line) => line.path === path && isRemovedEntry(line));
  return { removed: values.filter(isRemoval), others: values.filter((value) => !isRemoval(value)) };
}

const isRemovedEntry = ({ op, path }: StateLine): boolean => {
  const [, field = ''] = path.split('/');
  return op === 'remove' && (isDocumentList(field) || field === 'addOns');
};

/** The title of a changed quantity. The path contains only the id of the purchase, so the title names the add-on. */
function titleAt(path: string, { text, purchase }: DraftWords): string | undefined {
  const [, id] = /^\/addOns\/([^/]+)\/quantity$/.exec(path) ?? [];
  return id === undefined ? undefined : text('part.add-on', { addOn: purchase(id) });
}

/**
 * A changed field of the document, with the same name as on the history page. Empty for a field that the preview shows
 * in another place.
 */
function historyLine(line: StateLine, product: string): readonly StateLine[] {
  const { path } = line;
  if (shownElsewhere.test(path) || path.startsWith(`/${product}Features`) || path === `/${product}Details/plan`)
    return [];
  if (path === `/${product}`) return [{ ...line, path: '/product' }];
  if (path === `/${product}Details/parallelUse`) return [{ ...line, path: '/parallelUse' }];
  const [, entry] = /^(\/plans\/\w+)\/plan$/.exec(path) ?? [];
  if (entry !== undefined)
    return [{ ...line, path: entry, before: { plan: line.before }, value: { plan: line.value } }];
  return [{ ...line, path: path.replace(new RegExp(`/${product}User$`), '/productUser') }];
}
