import type { Holdings } from '@charter/identity';
import type { Tables } from '../schema/schema';

/** Reads a person's records without secrets. */
export async function holdingsOf(tables: Tables, account: string): Promise<Holdings> {
  const of = (id: string) => ({
    subjects: tables.selectFrom('account_subjects').select(['issuer', 'subject', 'linked']).where('account', '=', id),
    links: tables.selectFrom('links').select(['purpose', 'email', 'created', 'expires']).where('account', '=', id),
    mails: tables
      .selectFrom('mails')
      .select(['id', 'kind', 'address', 'language', 'made', 'state', 'attempts', 'settled'])
      .where('account', '=', id),
    keys: tables
      .selectFrom('api_keys')
      .select(['id', 'prefix', 'name', 'scopes', 'organization', 'created', 'expires', 'revoked', 'used'])
      .where('made_by', '=', id),
    former: tables.selectFrom('former_introductions').select('organization').where('account', '=', id),
  });
  const records = of(account);
  const keys = await records.keys.orderBy('created').execute();
  const former = await records.former.orderBy('organization').execute();
  return {
    subjects: await records.subjects.orderBy('linked').execute(),
    links: await records.links.orderBy('created').execute(),
    mails: (await records.mails.orderBy('made').execute()).map(({ address, ...mail }) => ({ ...mail, to: address })),
    keys: keys.map(({ scopes, ...key }) => ({ ...key, scopes: JSON.parse(scopes) as string[] })),
    formerOrganizations: former.map(({ organization }) => organization),
  };
}
