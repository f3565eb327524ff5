import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';

export const RemoveSingleSignOn = z.strictObject({});
export type RemoveSingleSignOn = z.infer<typeof RemoveSingleSignOn>;

export function removeSingleSignOn(_: RemoveSingleSignOn, { singleSignOn }: Organization): Decision {
  return singleSignOn ? [{ type: 'SingleSignOnRemoved', data: {} }] : [];
}
