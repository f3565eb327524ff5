/** An entry of the list under the search field. */
export type FoundEntry = Readonly<{
  id: string;
  /**
   * The message id of the group under which the list shows the entry: pages, organizations, events, this organization,
   * actions.
   */
  group: string;
  title: string;
  detail?: string;
  /**
   * Set if the service found the entry for the search text. All other entries must contain the words of the search
   * text.
   */
  isFound?: true;
  /** Whether the dialog stays open after the person chooses the entry. */
  keepsOpen?: true;
  open: () => void;
}>;

/**
 * Separates the prefix from the text of a search. The prefix restricts the results: `#` to events, `@` to people, `>`
 * to actions.
 */
export function parsedSearch(text: string): Readonly<{ kind: 'all' | 'event' | 'person' | 'action'; search: string }> {
  const trimmed = text.trim();
  const kind = ({ '#': 'event', '@': 'person', '>': 'action' } as const)[trimmed.charAt(0)];
  const search = trimmed.slice(kind ? 1 : 0).trim();
  // A page prints the number of an event with separators, for example #1,191.
  return { kind: kind ?? 'all', search: kind === 'event' ? search.replace(/[\s.,’']/g, '') : search };
}

const MOST = 12;

/**
 * The entries that the service found, and the entries that contain each word of the search text. Entries whose title
 * begins with the search text come first.
 */
export function matching(entries: readonly FoundEntry[], search: string): readonly FoundEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return entries
    .filter(({ title, detail = '', isFound }) => {
      if (isFound) return true;
      const text = `${title} ${detail}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .sort((a, b) => Number(startsWith(b, search)) - Number(startsWith(a, search)))
    .slice(0, MOST);
}

const startsWith = ({ title }: FoundEntry, search: string): boolean =>
  title.toLowerCase().startsWith(search.toLowerCase());
