/** What the service answers (`api.md`, Shapes that callers rely on), as far as the console reads it. */

type ApiMemberRole = 'owner' | 'admin' | 'member';

export type ApiOwnAccount = Readonly<{
  id: string;
  name: string | null;
  username: string | null;
  email: string | null;
  role: 'operator' | 'auditor' | null;
  organizations: readonly Readonly<{ id: string; name?: string; role: ApiMemberRole }>[];
}>;

export type ApiPlans = Readonly<{ first: ApiHeldPlan | null; second: ApiHeldPlan | null }>;
type ApiHeldPlan = Readonly<{ plan: string; effectiveAt: string }>;

export type OrganizationPage = Readonly<{
  organizations: readonly Readonly<{ id: string; name: string; plans?: ApiPlans }>[];
  next: string | null;
}>;

export type OrganizationDocument = Readonly<{
  _id: string;
  name: string;
  closed?: boolean;
  plans: ApiPlans;
  serviceLevel: 'none' | 'assisted' | 'turnkey';
  addOns: readonly Readonly<{ purchase: string; addOn: string; quantity: number }>[];
}>;

/** One reason. `event` is the revision of the event that says so. */
export type ApiReason = Readonly<{
  kind: string;
  what: string;
  quantity?: number;
  amount?: number | null;
  event: number;
  at: string;
}>;

export type ApiLimit = Readonly<{
  limit: number | null;
  unlimited: boolean;
  configured: number | null;
  hard: number | null;
  overridden: boolean;
  used: number;
  over: number;
  gate?: Readonly<{ feature: string; on: boolean }>;
  because: readonly ApiReason[];
}>;

export type ApiFeature = Readonly<{ on: boolean; because: readonly ApiReason[] }>;

export type ApiTraffic = Readonly<{
  month: string | null;
  views: number;
  allowance: number | null;
  mark: number | null;
}>;

export type ApiEntitlements = Readonly<{
  organization: string;
  revision: number;
  at: string;
  limits: Readonly<Record<string, ApiLimit>>;
  features: Readonly<Record<string, ApiFeature>>;
  traffic: ApiTraffic;
}>;

export type ApiSession = Readonly<{
  id: string;
  method: string;
  agent: string;
  began: string;
  used: string;
  /** This browser's own. */
  current?: boolean;
}>;
export type ApiSessions = Readonly<{ sessions: readonly ApiSession[] }>;
