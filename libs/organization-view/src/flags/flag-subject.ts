import { words } from '@charter/organization';

/** The subject of flags: an organization, one of its sites, or one of its members. Ids are in lower case. */
export type FlagSubject = Readonly<
  { organization: string } & (
    { kind: 'organization' } | { kind: 'site'; site: string } | { kind: 'user'; user: string }
  )
>;

/**
 * The subject that OFREP's `targetingKey` names: `ORG`, `ORG/sites/SITE` or `ORG/users/USER`. Undefined if the text has
 * another form. Only the targeting key names the subject, because providers store answers by this key
 * (`integrations.md` 1.2).
 */
export function flagSubjectIn(targetingKey: string): FlagSubject | undefined {
  const [id, list, entry, ...rest] = targetingKey.split('/');
  const organization = idIn(id);
  if (organization === undefined || rest.length > 0) return undefined;
  if (list === undefined) return { organization, kind: 'organization' };
  const entryId = idIn(entry);
  if (entryId === undefined) return undefined;
  if (list === 'sites') return { organization, kind: 'site', site: entryId };
  return list === 'users' ? { organization, kind: 'user', user: entryId } : undefined;
}

/** The targeting key of a subject in the form that Charter prints: with ids in lower case. */
export function targetingKeyOf(subject: FlagSubject): string {
  if (subject.kind === 'site') return `${subject.organization}/sites/${subject.site}`;
  if (subject.kind === 'user') return `${subject.organization}/users/${subject.user}`;
  return subject.organization;
}

const idIn = (text: string | undefined): string | undefined => words.Id.safeParse(text).data;
