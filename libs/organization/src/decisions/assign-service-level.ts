import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';
import { ServiceLevel } from '../terms';

export const AssignServiceLevel = z.strictObject({ serviceLevel: ServiceLevel });
export type AssignServiceLevel = z.infer<typeof AssignServiceLevel>;

export function assignServiceLevel({ serviceLevel }: AssignServiceLevel, organization: Organization): Decision {
  if (organization.serviceLevel.level === serviceLevel) return [];
  return [{ type: 'ServiceLevelAssigned', data: { serviceLevel } }];
}
