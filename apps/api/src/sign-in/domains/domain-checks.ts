import { UnreadableStream } from '@charter/aggregates';
import type { Charter } from '@charter/application';
import { type Moment, momentAt } from '@charter/decider';
import type { ProvenDomain } from '@charter/database';
import { organizationIdOf, organizationStream } from '@charter/organization';
import { provenDomainTag } from '@charter/organization-view';
import type { Lease } from '@charter/projections';
import { deterministicId } from '../../http/request-context';
import type { Background } from '../../process/parts/background';
import type { Clock } from '../../process/parts/clock';
import type { Lifecycle } from '../../process/parts/lifecycle';
import type { Observability } from '../../process/parts/observability';
import type { OrganizationAccess } from '../../process/parts/organization-access';
import { lookUpRecord, type RecordLookup, recordFor } from './dns-challenge';
import { mailOwners } from './domain-mails';
import { releaseUnlessProven, trustedDomain, unlessUnreadable } from './domain-trust';
import { DAY_MS, endOf } from './printed-domain';
import { claimDomain } from './prove-domain';

/** The interval, in milliseconds, at which the process looks for domains whose check is due. */
const POLL_MS = 10 * 60_000;
const PAGE = 100;

type Needs = Pick<Charter, 'settings' | 'database' | 'organizations' | 'keyFor' | 'view'> &
  Clock &
  Lifecycle &
  Pick<Observability, 'logger'> &
  Pick<OrganizationAccess, 'commands'> &
  Pick<Background, 'mails'>;

/**
 * Checks the DNS record of each proven domain once a day, while this process holds the lease. If the record is missing
 * for 14 days, the organization loses the domain. Charter mails the owners at least a day before the loss. The lease
 * only avoids unnecessary work: a repeated check changes nothing, because the ids of commands and mails are derived
 * from the domain and the moment.
 */
export function scheduleDomainChecks(
  runtime: Needs,
  lease: Lease,
): { stop: () => Promise<void>; checkNow: () => Promise<void> } {
  let underWay: Promise<void> | undefined;
  const checkNow = () =>
    (underWay ??= checkAll(runtime, lease)
      .catch((error: unknown) => {
        if (!runtime.stopping()) runtime.logger.warn({ why: String(error) }, 'e-mail domains could not be checked yet');
      })
      .finally(() => (underWay = undefined)));
  const timer = setInterval(() => void checkNow(), POLL_MS).unref();
  return {
    checkNow,
    stop: async () => {
      clearInterval(timer);
      await underWay;
    },
  };
}

async function checkAll(runtime: Needs, lease: Lease): Promise<void> {
  if (!(await lease.hold())) return;
  await claimAgain(runtime);
  const due = runtime.now() - DAY_MS;
  for (;;) {
    const rows = await runtime.database.provenDomains.checkedBefore(due, PAGE);
    for (const row of rows) {
      if (runtime.stopping() || !(await lease.hold())) return;
      await check(runtime, row).catch((error: unknown) => {
        // An unreadable history blocks only its own organization. The next check of the domain follows in a day.
        // The owners get no warnings meanwhile, so the days without the record count anew after the repair.
        if (!(error instanceof UnreadableStream)) throw error;
        const { domain, organization } = row;
        runtime.logger.warn({ organization, why: String(error) }, 'an e-mail domain could not be checked');
        return runtime.database.provenDomains.recordCheck({ domain, organization, missing: null }, runtime.now());
      });
    }
    if (rows.length < PAGE) return;
  }
}

/**
 * Claims each domain that an organization has proven and the tables do not contain, for example after a restore of
 * older tables. The next check is then due at once. If another organization has proven the domain too, and the tables
 * contain the claim of the other organization, this organization loses the domain. The owners of the organization that
 * loses the domain get a mail, unless this organization is closed.
 */
async function claimAgain(runtime: Needs): Promise<void> {
  const { view, organizations } = runtime;
  for (let after = undefined as Awaited<ReturnType<typeof view.list>>['next']; ;) {
    const { rows, next } = await view.list({ tags: [provenDomainTag], limit: PAGE, after });
    for (const { stream } of rows) {
      const organization = organizationIdOf(stream);
      // The read model may be behind the stream.
      const proven = organizations.query(stream, ({ state }) =>
        Object.entries(state.emailDomains).flatMap(([domain, { proven: isProven, at }]) =>
          isProven ? [{ domain, since: at, isClosed: state.closed !== null }] : [],
        ),
      );
      for (const { domain, since, isClosed } of await unlessUnreadable(proven, [])) {
        const claim = isClosed ? runtime.database.provenDomains.claim(domain, organization, 0) : undefined;
        const outcome = await (claim ?? claimDomain(runtime, organization, domain, 0));
        if (outcome !== 'taken' || !(await trustedDomain(runtime, domain))) continue;
        const lost = { domain, organization };
        if (!isClosed) await mailOwners(runtime, lost, { kind: 'domain-lost', since, isTaken: true });
        await lose(runtime, lost, since);
      }
    }
    if (!next) return;
    after = next;
  }
}

async function check(runtime: Needs, row: ProvenDomain): Promise<void> {
  const { database, organizations, settings, now } = runtime;
  const { domain, organization } = row;
  // The organization may have released or lost the domain, or its proof was never recorded.
  if (!(await releaseUnlessProven(runtime, organization, domain))) return;
  // The owners of a closed organization get no warnings, so the days without the record count anew after a reopening.
  if (await organizations.query(organizationStream(organization), ({ state }) => state.closed !== null))
    return database.provenDomains.recordCheck({ domain, organization, missing: null }, now());

  const result = await lookUpRecord(settings, recordFor(runtime, organization, domain));
  // Since the process read the row, the owner may have checked the domain, or another organization may have proven it.
  if (!(await isCurrent(runtime, row))) return;
  const at = now();
  const missing = missingAfter(result, row, momentAt(at));
  if (missing === null) return database.provenDomains.recordCheck({ domain, organization, missing }, at);

  const isOver = wereOwnersWarned(row) && endOf(missing, row.checked) <= momentAt(at);
  if (isOver && result !== 'unreachable') {
    await mailOwners(runtime, row, { kind: 'domain-lost', since: missing, isTaken: false });
    if (!(await isCurrent(runtime, row))) return;
    await lose(runtime, row, missing);
    return database.provenDomains.takeBack(domain, organization);
  }
  const stage = stageAt(missing, at);
  if (stage !== undefined)
    await mailOwners(runtime, row, { kind: 'domain-lapsing', missing, stage, until: endOf(missing, momentAt(at)) });
  return database.provenDomains.recordCheck({ domain, organization, missing }, at);
}

/** Whether the tables still contain this row, with the same organization and the same last check. */
async function isCurrent({ database }: Pick<Needs, 'database'>, row: ProvenDomain): Promise<boolean> {
  const current = await database.provenDomains.find(row.domain);
  return current?.organization === row.organization && current.checked === row.checked;
}

/**
 * The moment of the first check without the record; null if the record is not missing. An unreachable DNS server proves
 * nothing about the record, so the previous result counts.
 */
function missingAfter(result: RecordLookup, { missing }: ProvenDomain, at: Moment): Moment | null {
  if (result === 'found') return null;
  return result === 'unreachable' ? missing : (missing ?? at);
}

/**
 * The numbers of days after the first check without the record at which Charter warns the owners. The first such check
 * causes no warning, because the record can be missing for a short time.
 */
const warnings = [1, 7, 13];

/** The newest warning that is due at this moment; undefined if none is due. */
const stageAt = (missing: Moment, at: number): number | undefined =>
  warnings.findLast((day) => day <= Math.floor((at - Date.parse(missing)) / DAY_MS));

/** Whether the last check, at least a day ago, found a warning due. A check records its moment after its mails. */
const wereOwnersWarned = ({ missing, checked }: ProvenDomain): boolean =>
  missing !== null && stageAt(missing, Date.parse(checked)) !== undefined;

async function lose(
  { commands, now }: Needs,
  { domain, organization }: Pick<ProvenDomain, 'domain' | 'organization'>,
  since: Moment,
): Promise<void> {
  const command = deterministicId('domain-lost', organization, domain, since);
  const context = { actor, at: momentAt(now()), command, correlation: command, causation: command };
  await commands.execute(
    organization,
    { type: 'LoseEmailDomain', data: { domain } },
    { ...context, expected: undefined },
  );
}

const actor = { kind: 'system', id: 'clock', powers: ['operator'] } as const;
