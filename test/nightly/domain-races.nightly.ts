import type { Account } from '@charter/identity';
import { type DnsServer, startDnsServer } from '../support/network/dns-server';
import { type Process, served, several, type Several } from '../support/network/processes';
import { founded, path } from '../support/requests/organizations';
import { type Browser, PASSWORD, person, signedIn } from '../support/sign-in/people';
import { eventsOf } from '../support/serving';

// W2: tables in PostgreSQL, the façade of EventStoreDB, and two processes

const RACES = 50;

let dns: DnsServer;
let all: Several;
let processes: readonly Process[];
beforeAll(async () => {
  dns = await startDnsServer();
  all = await several({ DNS_SERVERS: dns.address, RATE_LIMITS: 'off' });
  processes = await Promise.all([all.start(), all.start()]);
}, 120_000);
afterAll(() => all.end(), 60_000);

type Rival = Readonly<{ id: string; by: Browser; owner: Account }>;
async function rivalAt(process: Process): Promise<Rival> {
  const owner = await person(all);
  const id = await founded(served(all, process), { owner: owner.id });
  return { id, owner, by: await signedIn(process, owner) };
}

it('W2: In fifty races between two processes, the first proof gets the domain, and no claim blocks another claim', async () => {
  const rivals = await Promise.all(processes.map(rivalAt));
  const proofs = rivals.map(() => 0);
  for (let race = 0; race < RACES; race += 1) {
    const domain = `race-${race}.com`;
    const at = ({ id }: Rival, rest = '') => path(id, `/verified-domains${rest}`);
    const claims = await Promise.all(rivals.map((one) => one.by.send('POST', at(one), { domain, password: PASSWORD })));
    expect([domain, ...claims.map(({ status }) => status)]).toEqual([domain, 201, 201]);
    dns.publish(`_charter-challenge.${domain}`, ...claims.map(({ body }) => body['record'].value as string));
    const checks = await Promise.all(
      rivals.map((one) => one.by.send('POST', at(one, `/${domain}/check`), { password: PASSWORD })),
    );
    expect([domain, ...checks.map(({ status }) => status).toSorted()]).toEqual([domain, 200, 409]);
    expect(checks.find(({ status }) => status === 409)!.body.type).toBe('/problems/domain-taken');
    const first = checks.findIndex(({ status }) => status === 200);
    proofs[first]! += 1;
    // both processes show that only the first organization has proven the domain
    const states = rivals.map(async (one) => {
      const { domains } = (await one.by.get(at(one, '?limit=100'))).body as {
        domains: { domain: string; state: string }[];
      };
      return domains.find((each) => each.domain === domain)?.state;
    });
    expect(await Promise.all(states)).toEqual(rivals.map((_, index) => (index === first ? 'proven' : 'claimed')));
  }
  console.info(`W2: the two processes won ${proofs.join(' and ')} races`);
  const recorded = await eventsOf(all, 'organization-');
  expect(recorded.filter(({ type }) => type === 'EmailDomainProven')).toHaveLength(RACES);
});
