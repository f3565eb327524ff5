import type { OrganizationCommands } from '@charter/application';
import type { Projection } from '@charter/projections';
import type { RecordRead } from '../../history/read-audit';
import type { OrganizationReader } from '../../organizations/organization-reader';

/** How a process writes and reads organizations. */
export type OrganizationAccess = Readonly<{
  /** A process executes commands of organizations only through `OrganizationCommands`. */
  commands: OrganizationCommands;
  reading: OrganizationReader;
  projection: Projection;
  /** Records in a reader's audit stream that the reader read a history. */
  recordRead: RecordRead;
}>;
export const ORGANIZATION_ACCESS: unique symbol = Symbol('OrganizationAccess');
