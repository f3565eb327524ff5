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
 * (`flags.md`, Subjects).
 */
export function flagSubjectIn(targetingKey: string): FlagSubject | undefined {
  const { id, site, user } = PARTS.exec(targetingKey)?.groups ?? {};
  const organization = idIn(id);
  if (organization === undefined) return undefined;
  if (site !== undefined) return withId(site, (entry) => ({ organization, kind: 'site', site: entry }));
  if (user !== undefined) return withId(user, (entry) => ({ organization, kind: 'user', user: entry }));
  return { organization, kind: 'organization' };
}

const PARTS = /^(?<id>[^/]+)(?:\/sites\/(?<site>[^/]+)|\/users\/(?<user>[^/]+))?$/;

const withId = (text: string, subjectOf: (id: string) => FlagSubject): FlagSubject | undefined => {
  const id = idIn(text);
  return id === undefined ? undefined : subjectOf(id);
};

/** The targeting key of a subject in the form that Charter prints: with ids in lower case. */
export function targetingKeyOf(subject: FlagSubject): string {
  if (subject.kind === 'site') return `${subject.organization}/sites/${subject.site}`;
  if (subject.kind === 'user') return `${subject.organization}/users/${subject.user}`;
  return subject.organization;
}

/** For an id as Charter prints it, the pattern suffices. The schema would take several times as long. */
const idIn = (text: string | undefined): string | undefined =>
  text !== undefined && PRINTED_ID.test(text) ? text : words.Id.safeParse(text).data;
const PRINTED_ID = new RegExp(`^${words.PRINTED_ID}$`);
