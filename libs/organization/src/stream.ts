/** Streams of organizations are called `organization-<uuid>` (`decisions.md`, Events). */
export const organizationStreams = 'organization-';

export const organizationStream = (id: string): string => `${organizationStreams}${id}`;

export const organizationOf = (stream: string): string => stream.slice(organizationStreams.length);
