import type { Metadata, OrganizationDocument } from '@charter/client';
import type { PageConfig } from '../../../../page-config';
import { entriesOf, listsIn } from '../../../document-lists';
import type { ConsoleWords } from '../../../words';
import type { OtherNames } from './useOtherNames';

type EventActor = Metadata['actor'];

/**
 * The names that the page knows for the ids in events. The names are the current names, because events contain only
 * ids.
 */
export type KnownNames = Readonly<{
  /** A member or another person by id: the name, or else the role, “Erased person” or the beginning of the id. */
  person: (id: string) => string;
  /** A site or a domain by id: the hostname or the name, or else the beginning of the id. */
  thing: (id: string) => string;
  actor: (actor: EventActor) => string;
  /** The names of people and sites that a filter can contain. The people include former members. */
  people: ReadonlyMap<string, string>;
  sites: ReadonlyMap<string, string>;
}>;

type NameSources = Readonly<{
  documents: readonly (OrganizationDocument | undefined)[];
  facts: PageConfig;
  /** The names of members, former members, people with a platform role, and API keys, by id. */
  others: OtherNames;
  /** Requests a name that the page does not know yet. */
  want: (id: string) => void;
}>;

export function knownNames(
  { documents, facts, others, want }: NameSources,
  { text, name: roleName }: ConsoleWords,
): KnownNames {
  const people = new Map([[facts.account, facts.accountName]]);
  for (const [id, other] of others)
    if (other?.name != null && other.as !== 'key' && !other.erased && !people.has(id)) people.set(id, other.name);
  const sites = new Map<string, string>();
  const things = new Map<string, string>();
  for (const document of documents) {
    if (!document) continue;
    for (const { _id, unicode } of document.sites) sites.set(_id, unicode);
    for (const entry of listsIn(document).flatMap((list) => entriesOf(document, list))) {
      const named = entry.unicode ?? entry.hostname ?? entry.name;
      if (named !== undefined) things.set(entry._id, named);
    }
  }
  const person = (id: string): string => {
    const known = isolated(people.get(id));
    if (known !== '') return known;
    const other = others.get(id);
    if (!other) want(id);
    if (other?.erased) return text('names.erased');
    if (other?.as === 'operator' || other?.as === 'auditor') return roleName(other.as);
    return text('names.person', { id: shortId(id) });
  };
  const key = (id: string): string => {
    const other = others.get(id);
    if (!other) want(id);
    return other?.name == null ? text('actor.key') : text('names.key', { name: isolated(other.name) });
  };
  return {
    people,
    sites,
    person,
    thing: (id) => sites.get(id) ?? things.get(id) ?? shortId(id),
    actor: ({ kind, id }) => (kind === 'account' ? person(id) : kind === 'key' ? key(id) : text(`actor.${kind}`)),
  };
}

const isolated = (name: string | undefined) => (name === undefined || name === '' ? '' : `\u2068${name}\u2069`);
const shortId = (id: string) => id.slice(0, 8);
