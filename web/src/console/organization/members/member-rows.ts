import type { Member, OrganizationDocument, Since } from '@charter/client';
import { comparedEntries, type ComparedEntry } from '../comparison/compared-entries';

export const memberRoles = ['owner', 'admin', 'member'] as const;
type Role = (typeof memberRoles)[number];

/** The states of a member's account. `unknown`: the service knows only the id. */
export const memberStates = ['active', 'invited', 'unknown', 'erased'] as const;
export type MemberState = (typeof memberStates)[number];

type MemberValues = Readonly<{ role: Role; isProductUser: boolean }>;

type DocumentMember = OrganizationDocument['members'][number];

/** A member at the page's moment, with the person's current name. */
export type MemberRow = MemberValues &
  Readonly<{
    id: string;
    /** Undefined if the service has not sent the member's account. */
    state: MemberState | undefined;
    name: string | null;
    email: string | null;
    /** The event that added the member. */
    since: Since;
    /** The event that gave the member the role. */
    roleSince: Since;
    other: MemberValues | undefined;
  }> &
  Pick<ComparedEntry<DocumentMember>, 'isHere' | 'mark'>;

/** The document at the other side of a comparison, and whether this side is before the page's moment. */
type OtherDocument = Readonly<{ document: OrganizationDocument | undefined; isEarlier: boolean }>;

/**
 * The members of the organization's document at the page's moment, compared with the members at the other side of the
 * comparison. The rows are sorted by the members' names; members without a name come last.
 * @param productKey the product key of the second product line; the name of the field that marks a product user begins
 * with this key
 */
export function memberRows(
  shown: OrganizationDocument,
  other: OtherDocument | undefined,
  named: readonly Member[],
  productKey: string,
): readonly MemberRow[] {
  const people = new Map(named.map((member) => [member.user, member]));
  const valuesOf = (member: DocumentMember): MemberValues => ({
    role: member.role,
    isProductUser: (member as unknown as Readonly<Record<string, unknown>>)[`${productKey}User`] === true,
  });
  const there = other && { list: other.document?.members, isEarlier: other.isEarlier };
  return comparedEntries<DocumentMember>(shown.members, there, valuesOf)
    .map(({ entry, other: counterpart, isHere, mark }): MemberRow => {
      const person = people.get(entry._id);
      return {
        id: entry._id,
        ...valuesOf(entry),
        state: stateOf(person),
        name: person?.name ?? person?.username ?? person?.email ?? null,
        email: person?.email ?? null,
        since: entry.since,
        roleSince: entry.roleSince,
        isHere,
        ...(mark && { mark }),
        other: counterpart && valuesOf(counterpart),
      };
    })
    .sort(byName);
}

function stateOf(person: Member | undefined): MemberState | undefined {
  if (!person) return undefined;
  if (person.erased) return 'erased';
  if (person.invited === undefined) return 'unknown';
  return person.invited ? 'invited' : 'active';
}

function byName(one: MemberRow, other: MemberRow): number {
  if (one.name === null || other.name === null) return Number(one.name === null) - Number(other.name === null);
  return one.name.localeCompare(other.name);
}

export type MemberFilter = Readonly<{ searched: string; role: string; state: string }>;

/**
 * The rows that match a filter. The search text may be a part of a name, of an e-mail address or of an id. A member
 * whose state the service has not sent matches each state.
 */
export function filteredMembers(rows: readonly MemberRow[], { searched, role, state }: MemberFilter) {
  const wanted = searched.trim().toLowerCase();
  return rows.filter(
    (row) =>
      (role === '' || row.role === role) &&
      (state === '' || (row.state ?? state) === state) &&
      [row.name, row.email, row.id].some((text) => text?.toLowerCase().includes(wanted)),
  );
}
