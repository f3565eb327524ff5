import { z } from 'zod';

const Moment = z.string().meta({ description: 'A moment in UTC with milliseconds' });

const example = {
  domain: 'acme.com',
  unicode: 'acme.com',
  state: 'proven',
  record: { name: '_charter-challenge.acme.com', value: 'charter-domain=0d3Rz7…' },
  ...{ since: '2026-11-24T10:00:00.000Z', until: null, automaticMembership: true, managed: false },
};

/** A domain of an organization's e-mail addresses, in the answers of the routes `verified-domains`. */
export const VerifiedDomain = z
  .strictObject({
    domain: z.string(),
    unicode: z.string().meta({ description: 'The domain in its Unicode form, for people' }),
    state: z.enum(['claimed', 'proven', 'lapsing']).meta({
      description:
        '`claimed`: the domain has no effect. `proven`: the domain works. `lapsing`: a check did not find the DNS record, and no later check has found it; the domain works at least until the moment `until`.',
    }),
    record: z
      .strictObject({ name: z.string(), value: z.string() })
      .meta({ description: 'The DNS TXT record that proves the domain' }),
    since: Moment,
    until: Moment.nullable(),
    automaticMembership: z.boolean(),
    managed: z.boolean(),
  })
  .meta({
    id: 'VerifiedDomain',
    examples: [example],
  });
export type VerifiedDomain = Readonly<z.infer<typeof VerifiedDomain>>;

export const VerifiedDomainPage = z
  .strictObject({ domains: z.array(VerifiedDomain), next: z.string().nullable() })
  .meta({ id: 'VerifiedDomainPage', examples: [{ domains: [example], next: null }] });
export type VerifiedDomainPage = Readonly<z.infer<typeof VerifiedDomainPage>>;
