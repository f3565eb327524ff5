import type { Charter } from '@charter/application';
import { AUTHENTICATION, type Authentication } from './parts/authentication';
import { BACKGROUND, type Background } from './parts/background';
import { CLOCK, type Clock } from './parts/clock';
import { FLAG_STREAMS, type FlagStreams } from './parts/flag-streams';
import { type Gates, GATES } from './parts/gates';
import { LIFECYCLE, type Lifecycle } from './parts/lifecycle';
import { OBSERVABILITY, type Observability } from './parts/observability';
import { ORGANIZATION_ACCESS, type OrganizationAccess } from './parts/organization-access';
import { PAGE_SETTINGS, type PageSettings } from './parts/page-settings';
import { STORES } from './parts/stores';

/** The parts of a process that answers requests. Nest injects each part by its own token. */
export type RuntimeParts = Readonly<{
  [STORES]: Charter;
  [CLOCK]: Clock;
  [LIFECYCLE]: Lifecycle;
  [OBSERVABILITY]: Observability;
  [GATES]: Gates;
  [FLAG_STREAMS]: FlagStreams;
  [AUTHENTICATION]: Authentication;
  [ORGANIZATION_ACCESS]: OrganizationAccess;
  [BACKGROUND]: Background;
  [PAGE_SETTINGS]: PageSettings;
}>;

/**
 * All parts of a process. Only code that starts and stops the process uses the whole runtime; other code gets only the
 * parts that it needs.
 */
export type Runtime = Charter &
  Clock &
  Lifecycle &
  Observability &
  Gates &
  FlagStreams &
  Authentication &
  OrganizationAccess &
  Background &
  PageSettings &
  Readonly<{ parts: RuntimeParts }>;

export const runtimeOf = (parts: RuntimeParts): Runtime => ({
  ...parts[STORES],
  ...parts[CLOCK],
  ...parts[LIFECYCLE],
  ...parts[OBSERVABILITY],
  ...parts[GATES],
  ...parts[FLAG_STREAMS],
  ...parts[AUTHENTICATION],
  ...parts[ORGANIZATION_ACCESS],
  ...parts[BACKGROUND],
  ...parts[PAGE_SETTINGS],
  parts,
});

export const partProviders = (parts: RuntimeParts) => [
  { provide: STORES, useValue: parts[STORES] },
  { provide: CLOCK, useValue: parts[CLOCK] },
  { provide: LIFECYCLE, useValue: parts[LIFECYCLE] },
  { provide: OBSERVABILITY, useValue: parts[OBSERVABILITY] },
  { provide: GATES, useValue: parts[GATES] },
  { provide: FLAG_STREAMS, useValue: parts[FLAG_STREAMS] },
  { provide: AUTHENTICATION, useValue: parts[AUTHENTICATION] },
  { provide: ORGANIZATION_ACCESS, useValue: parts[ORGANIZATION_ACCESS] },
  { provide: BACKGROUND, useValue: parts[BACKGROUND] },
  { provide: PAGE_SETTINGS, useValue: parts[PAGE_SETTINGS] },
];
