/** What the service answers (`api.md`, Shapes that callers rely on), as far as the console reads it. */

export type Role = 'owner' | 'admin' | 'member';

export type Me = Readonly<{
  id: string;
  name: string | null;
  username: string | null;
  email: string | null;
  role: 'operator' | 'auditor' | null;
  organizations: readonly Readonly<{ id: string; name?: string; role: Role }>[];
}>;

export type Plans = Readonly<{ first: HeldPlan | null; second: HeldPlan | null }>;
export type HeldPlan = Readonly<{ plan: string; effectiveAt: string }>;

export type OrganizationPage = Readonly<{
  organizations: readonly Readonly<{ id: string; name: string; plans?: Plans }>[];
  next: string | null;
}>;

export type OrganizationDocument = Readonly<{
  _id: string;
  name: string;
  closed?: boolean;
  plans: Plans;
  serviceLevel: 'none' | 'assisted' | 'turnkey';
  addOns: readonly Readonly<{ purchase: string; addOn: string; quantity: number }>[];
}>;

/** One reason. `event` is the revision of the event that says so. */
export type Because = Readonly<{
  kind: string;
  what: string;
  quantity?: number;
  amount?: number | null;
  event: number;
  at: string;
}>;

export type Limit = Readonly<{
  limit: number | null;
  unlimited: boolean;
  configured: number | null;
  hard: number | null;
  overridden: boolean;
  used: number;
  over: number;
  gate?: Readonly<{ feature: string; on: boolean }>;
  because: readonly Because[];
}>;

export type Feature = Readonly<{ on: boolean; because: readonly Because[] }>;

export type Traffic = Readonly<{ month: string | null; views: number; allowance: number | null; mark: number | null }>;

export type Entitlements = Readonly<{
  organization: string;
  revision: number;
  at: string;
  limits: Readonly<Record<string, Limit>>;
  features: Readonly<Record<string, Feature>>;
  traffic: Traffic;
}>;

export type Session = Readonly<{
  id: string;
  method: string;
  agent: string;
  began: string;
  used: string;
  /** This browser's own. */
  current?: boolean;
}>;
export type Sessions = Readonly<{ sessions: readonly Session[] }>;
