import { organizationView } from '@charter/organization-view';
import { documentHashesOf } from '../history/golden-documents';
import { scratchCopy } from '../support/scratch-copy';

/** One version of the view: the hashes of its documents and rows for the golden histories of this spec. */
type Known = Readonly<{ version: number; documents: string; rows: string }>;

const histories = ['schema-1', 'schema-1-late-news', 'schema-1-renewals'];

/**
 * Each new version of the view adds a line at the end. Earlier lines never change: the code of each version computed
 * the hashes of its line.
 */
const versions: readonly Known[] = [
  { version: 2, documents: '818b833ee281adc0', rows: '0ad231d88702b354' },
  { version: 3, documents: 'ad2518dd099310ab', rows: 'c0d319492685d5b8' },
  { version: 4, documents: 'cc5b16b9adfa1daf', rows: 'c0d319492685d5b8' },
  { version: 5, documents: 'cc5b16b9adfa1daf', rows: '4116c8838dff62b1' },
  { version: 6, documents: '2f6864bb41d3cfea', rows: '4116c8838dff62b1' },
];

/** The change that a developer must still make before this view may be released, or null. */
function adviceFor(
  { version, listedSince }: Readonly<{ version: number; listedSince: number }>,
  now: Pick<Known, 'documents' | 'rows'>,
  known: readonly Known[] = versions,
): string | null {
  const last = known.at(-1)!;
  if (version === last.version && (now.documents !== last.documents || now.rows !== last.rows))
    return `Stored documents of version ${version} are not as this code makes them. Raise \`stateVersion\` in events.ts to ${version + 1}.`;
  if (version !== last.version) {
    const line = { version, ...now };
    return `Add this line to \`versions\` in this spec: ${JSON.stringify(line)}`;
  }
  const alike = known.slice(known.findLastIndex(({ rows }) => rows !== now.rows) + 1)[0]!.version;
  return listedSince === alike
    ? null
    : `Rows are as now since version ${alike}. Set \`listedSince\` in view.ts to ${alike}.`;
}

describe('The version of the view of organizations', () => {
  const now = documentHashesOf(histories);
  const { version, listedSince } = organizationView;

  it('is higher than in the last release if the stored documents or their rows have changed', () => {
    expect(adviceFor(organizationView, now)).toBeNull();
  });

  it('has one line in this spec for each version', () => {
    expect(versions.map((each) => each.version)).toEqual(versions.map((_, index) => index + 2));
  });

  it.each([
    ['a state field', 'organization', `  name: '',\n`, `  name: '',\n  planted: null,\n`],
    ['a field of a list entry', 'organization', 'productUser: false,', 'productUser: false, planted: null,'],
    [
      'a column of the list of organizations',
      'organization-view',
      'columns: { plans',
      'columns: { planted: null, plans',
    ],
  ])('must be raised if the code adds %s', (_, lib, from, to) => {
    const scratch = scratchCopy();
    const hashes = `load('./test/history/golden-documents.ts').documentHashesOf(${JSON.stringify(histories)})`;
    scratch.patch(lib, from, to);
    const patched = scratch.valueOf(hashes) as typeof now;
    scratch.remove();
    expect(adviceFor(organizationView, patched)).toContain(`Raise \`stateVersion\` in events.ts to ${version + 1}.`);
  });

  it('must be added to the list in this spec after it is raised', () => {
    const changed = { documents: 'other', rows: now.rows };
    expect(adviceFor({ version: version + 1, listedSince }, changed)).toContain('Add this line');
    const known = [...versions, { ...versions.at(-1)!, version: version + 1, ...changed }];
    expect(adviceFor({ version: version + 1, listedSince }, changed, known)).toBeNull();
  });

  it('must also be set as `listedSince` if the rows have changed', () => {
    const changed = { documents: now.documents, rows: 'other' };
    const known = [...versions, { ...versions.at(-1)!, version: version + 1, ...changed }];
    expect(adviceFor({ version: version + 1, listedSince }, changed, known)).toContain(
      `Set \`listedSince\` in view.ts to ${version + 1}.`,
    );
    expect(adviceFor({ version: version + 1, listedSince: version + 1 }, changed, known)).toBeNull();
  });
});
