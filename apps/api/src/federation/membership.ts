import { organizationOf, organizationStream } from '@charter/organization';
import { memberTag } from '@charter/organization-view';
import type { Runtime } from '../runtime';

type Known = Pick<Runtime, 'organizations' | 'view' | 'reading' | 'projection' | 'log'>;

/** Whether an account is a member of an organization, by the organization's own stream. */
export const isMember = ({ organizations }: Pick<Runtime, 'organizations'>, account: string, organization: string) =>
  organizations.look(
    organizationStream(organization),
    ({ state }) => state.name !== '' && Object.hasOwn(state.members, account),
  );

/** How long a read model that trails is waited for before it is believed that somebody is nowhere. */
const CATCH_UP_MS = 1_000;

/**
 * Whether an account is a member of any organization. The read model names the candidates and their streams decide; a no is
 * said only after the read model has seen everything. @throws Stop 503 while it cannot be trusted
 */
export async function isMemberAnywhere(runtime: Known, account: string): Promise<boolean> {
  runtime.reading.mustBeTrusted();
  if (await isMemberOfListed(runtime, account)) return true;
  await runtime.projection.whenProcessed(await runtime.log.head(), { timeout: CATCH_UP_MS }).catch(() => undefined);
  return isMemberOfListed(runtime, account);
}

async function isMemberOfListed(runtime: Known, account: string): Promise<boolean> {
  const { view } = runtime;
  let page = await view.list({ tags: [memberTag(account)], limit: 100 });
  for (;;) {
    for (const { stream } of page.rows) if (await isMember(runtime, account, organizationOf(stream))) return true;
    if (!page.next) return false;
    page = await view.list({ tags: [memberTag(account)], limit: 100, after: page.next });
  }
}
