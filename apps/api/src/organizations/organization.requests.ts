import { schemaOf, ServiceLevel, CommandInput, words } from '@charter/organization';
import { entitlementKeys } from '@charter/organization-view';
import { z } from 'zod';
import { Email } from '../account/account.requests';
import { cursorsOf, PageLimit, SearchParam } from '../http/input/paging';

// The schemas of bodies that differ from the schema of a command, and the schemas of query and path parameters.

const { Id, Quantity, When: Moment } = words;

export const PlanChoice = schemaOf('AssignPlan').pick({ line: true, plan: true, terms: true });
export const NewPurchase = schemaOf('PurchaseAddOn').pick({
  addOn: true,
  quantity: true,
  purchase: true,
  grants: true,
});
export const NewQuantity = schemaOf('ChangeQuantity').pick({ quantity: true });
export const Product = z.strictObject({ enabled: z.boolean() });

/** A member, named by id (`decisions.md` 22) or by e-mail address. */
export const NewMember = z
  .strictObject({ user: Id.optional(), email: Email.optional(), role: schemaOf('AddMember').shape.role })
  .refine(({ user, email }) => (user === undefined) !== (email === undefined), {
    path: ['user'],
    message: 'must be present, or an email instead',
  })
  .meta({ example: { email: 'ada@example.com', role: 'member' } });

export const MemberChange = z
  .strictObject({ role: schemaOf('AddMember').shape.role.optional(), productUser: z.boolean().optional() })
  .refine((change) => Object.keys(change).length > 0, 'must name a role or productUser');

export const SiteChange = z
  .strictObject({
    name: schemaOf('RenameSite').shape.name.optional(),
    features: schemaOf('ChangeSiteFeatures').shape.features.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'must name a name or features');

/** The changes of a preview: another plan or none, more add-ons, another service level (`api.md`, plan/preview). */
export const PlanPreview = z.strictObject({
  line: schemaOf('AssignPlan').shape.line,
  plan: schemaOf('AssignPlan').shape.plan.nullable(),
  addOns: z
    .array(z.strictObject({ addOn: schemaOf('PurchaseAddOn').shape.addOn, quantity: Quantity }))
    .max(18)
    .default([]),
  serviceLevel: ServiceLevel.optional(),
});

/** 1 to 20 commands, which are executed in order (`api.md`). */
export const Commands = z.strictObject({ commands: z.array(CommandInput).min(1).max(20) });

/** A revision as a query parameter. */
export const RevisionParam = z
  .string()
  .regex(/^\d{1,15}$/, { error: 'must be a revision such as 42', abort: true })
  .transform(Number);

/** A revision such as `42`, or an ISO time. */
export const AsOf = z.union(
  [RevisionParam.transform((revision) => ({ revision })), Moment.transform((moment) => ({ moment }))],
  {
    error: ({ input }) =>
      input === undefined ? 'is missing' : 'must be a revision such as 42, or a moment such as 2026-11-21T10:00:00Z',
  },
);
/** The query is about the state in force at this moment, according to the events up to `asOf`. */
export const Valid = Moment;
export const WhenQuery = z.strictObject({
  asOf: AsOf.optional(),
  valid: Valid.optional(),
  atLeast: RevisionParam.optional(),
});

const cursors = cursorsOf(z.tuple([z.string(), z.string()]), 2_000);
const Cursor = cursors.Cursor.transform(([sort, stream]) => ({ sort, stream }));
export const organizationCursor = (after: { sort: string; stream: string } | undefined): string | null =>
  after ? cursors.at([after.sort, after.stream]) : null;

export const OrganizationsQuery = z.strictObject({
  q: SearchParam.optional(),
  plan: z
    .string()
    .regex(/^(first|second)\/.{1,100}$/, 'must be a line and a plan, such as second/teams')
    .optional(),
  cursor: Cursor.optional(),
  limit: PageLimit,
});

export const EntitlementKeyParam = z.enum(entitlementKeys as [string, ...string[]]);
export const Reasoned = z.strictObject({ reason: words.Reason.optional() });
