import type { Aggregates } from '@charter/aggregates';
import type { OrganizationCommand, OrganizationDraft, OrganizationEvent, RefusalReason } from '@charter/organization';

export type Organizations = Aggregates<OrganizationDraft, OrganizationCommand, OrganizationEvent, RefusalReason>;
