import { refuse } from '@charter/decider';
import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';
import { Id } from '../words';

export const RemoveSite = z.strictObject({ site: Id });
export type RemoveSite = z.infer<typeof RemoveSite>;

export function removeSite({ site }: RemoveSite, { sites }: Organization): Decision {
  if (!sites[site])
    return refuse(
      'no-such-site',
      'This organization has no site with this id. The list of its sites contains their ids.',
    );
  return [{ type: 'SiteRemoved', data: { site } }];
}
