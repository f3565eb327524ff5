import type { Charter } from '@charter/application';
import { type AUTHENTICATION, type Authentication } from './parts/authentication';
import { type BACKGROUND, type Background } from './parts/background';
import { type CLOCK, type Clock, type Stopwatch } from './parts/clock';
import { type FLAG_STREAMS, type FlagStreams } from './parts/flag-streams';
import { type Gates, type GATES } from './parts/gates';
import { type LIFECYCLE, type Lifecycle } from './parts/lifecycle';
import { type OBSERVABILITY, type Observability } from './parts/observability';
import { type ORGANIZATION_ACCESS, type OrganizationAccess } from './parts/organization-access';
import { type PAGE_SETTINGS, type PageSettings } from './parts/page-settings';
import { type STORES } from './parts/stores';

/** The parts of a process that answers requests. Nest injects each part by its own token. */
export type RuntimeParts = Readonly<{
  [STORES]: Charter;
  [CLOCK]: Clock & Stopwatch;
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
export type Runtime = Intersection<RuntimeParts[keyof RuntimeParts]> & Readonly<{ parts: RuntimeParts }>;

export const runtimeOf = (parts: RuntimeParts): Runtime =>
  Object.assign({ parts }, ...tokensOf(parts).map((token) => parts[token])) as Runtime;

export const partProviders = (parts: RuntimeParts) =>
  tokensOf(parts).map((token) => ({ provide: token, useValue: parts[token] }));

const tokensOf = (parts: RuntimeParts) => Reflect.ownKeys(parts) as (keyof RuntimeParts)[];

/** The type that has the members of all types of a union. */
type Intersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
