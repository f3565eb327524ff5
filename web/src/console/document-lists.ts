import type { OrganizationDocument, Since } from '@charter/client';

type Entries = readonly Readonly<{ _id: string }>[];
/**
 * How the organization's document contains a list: as an array of entries, or as an object with the array `domains`.
 */
type ShapeOf<Value> = Value extends Entries
  ? 'array'
  : Value extends Readonly<{ domains: Entries }>
    ? 'domains'
    : never;
type ListShapes = {
  readonly [
    Field in keyof OrganizationDocument as ShapeOf<OrganizationDocument[Field]> extends never ? never : Field
  ]-?: ShapeOf<OrganizationDocument[Field]>;
};

/**
 * The lists of the organization's document whose entries have ids. If a list of the document is missing here, this file
 * does not compile.
 */
const listShapes = {
  members: 'array',
  sites: 'array',
  qualityAssurance: 'domains',
  webAnalytics: 'domains',
} as const satisfies ListShapes;

export type DocumentList = keyof typeof listShapes;
export const documentLists = Object.keys(listShapes) as readonly DocumentList[];

export const isDocumentList = (field: string): field is DocumentList => Object.hasOwn(listShapes, field);

/** Whether the document contains the list as an object with the array `domains`. */
export const hasDomains = (list: DocumentList): boolean => listShapes[list] === 'domains';

/** The JSON pointer of a list in the organization's document. */
export const pathOfList = (list: DocumentList): string => (hasDomains(list) ? `/${list}/domains` : `/${list}`);

/** The lists that a document contains. During an upgrade, a process of the older release prints fewer lists. */
export const listsIn = (document: object): readonly DocumentList[] => documentLists.filter((list) => list in document);

/** The entries of a list in the organization's document. In some lists the entries have a name or a hostname. */
export function entriesOf(document: OrganizationDocument, list: DocumentList): readonly ListEntry[] {
  const printed: readonly ListEntry[] | Readonly<{ domains: readonly ListEntry[] }> = document[list];
  return 'domains' in printed ? printed.domains : printed;
}
type ListEntry = Readonly<{ _id: string; unicode?: string; hostname?: string; name?: string; since: Since }>;
