import type { OrganizationCommands } from '@charter/application';
import type { Projection } from '@charter/projections';
import type { RecordRead } from '../../history/read-audit';
import type { OrganizationReader } from '../../organizations/organization-reader';

/** How a process writes and reads organizations. */
export type OrganizationAccess = Readonly<{
  /** The only interface that executes commands of organizations. */
  commands: OrganizationCommands;
  reading: OrganizationReader;
  projection: Projection;
  /** Records in a reader's own stream that they read a history. */
  recordRead: RecordRead;
}>;
export const ORGANIZATION_ACCESS: unique symbol = Symbol('OrganizationAccess');
