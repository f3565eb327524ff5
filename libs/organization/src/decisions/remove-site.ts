import { z } from 'zod';
import { type Decision, noSuchSite } from '../decision';
import type { Organization } from '../state';
import { Id } from '../words';

export const RemoveSite = z.strictObject({ site: Id });
export type RemoveSite = z.infer<typeof RemoveSite>;

export function removeSite({ site }: RemoveSite, { sites }: Organization): Decision {
  if (!sites[site]) return noSuchSite;
  return [{ type: 'SiteRemoved', data: { site } }];
}
