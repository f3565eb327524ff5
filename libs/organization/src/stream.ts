/** Streams of organizations are named `organization-<uuid>` (`decisions.md`, Events). */
export const organizationStreamPrefix = 'organization-';

export const organizationStream = (id: string): string => `${organizationStreamPrefix}${id}`;

export const organizationIdOf = (stream: string): string => stream.slice(organizationStreamPrefix.length);
