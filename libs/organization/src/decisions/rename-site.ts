import { z } from 'zod';
import { type Decision, noSuchSite } from '../decision';
import type { Organization } from '../state';
import { Id, Name } from '../words';

export const RenameSite = z.strictObject({ site: Id, name: Name });
export type RenameSite = z.infer<typeof RenameSite>;

export function renameSite({ site, name }: RenameSite, { sites }: Organization): Decision {
  const known = sites[site];
  if (!known) return noSuchSite;
  return known.name === name ? [] : [{ type: 'SiteRenamed', data: { site, name } }];
}
