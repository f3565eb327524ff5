import { refuse } from '@charter/decider';
import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';
import { Id, Name } from '../words';

export const RenameSite = z.strictObject({ site: Id, name: Name });
export type RenameSite = z.infer<typeof RenameSite>;

export function renameSite({ site, name }: RenameSite, { sites }: Organization): Decision {
  const known = sites[site];
  if (!known)
    return refuse(
      'no-such-site',
      'This organization has no site with this id. The list of its sites contains their ids.',
    );
  return known.name === name ? [] : [{ type: 'SiteRenamed', data: { site, name } }];
}
