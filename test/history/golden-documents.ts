import { createHash } from 'node:crypto';
import type { Folded } from '@charter/decider';
import type { OrganizationDraft, OrganizationEvent } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import canonicalize from 'canonicalize';
import { foldedThrough, organizationsOf } from './golden';

/**
 * The view computes a document and a list row at every revision of these golden histories. Returns one hash over all
 * documents and one over all list rows.
 */
export function documentHashesOf(histories: readonly string[]): Readonly<{ documents: string; rows: string }> {
  const documents = histories.flatMap((name) =>
    [...Map.groupBy(organizationsOf(name), ({ stream }) => stream).values()].flatMap((stored) =>
      foldedThrough<OrganizationDraft, OrganizationEvent>(organizationView, stored),
    ),
  );
  return { documents: hashOf(documents), rows: hashOf(documents.map(rowOf)) };
}

const rowOf = (document: Folded<OrganizationDraft>) => organizationView.row(document) ?? null;

const hashOf = (values: readonly unknown[]) =>
  createHash('sha256')
    .update(canonicalize(JSON.parse(JSON.stringify(values)))!)
    .digest('hex')
    .slice(0, 16);
