import { type Charter, openCharter } from '@charter/application';
import { parseSettings } from '@charter/settings';
import { pino } from 'pino';
import { serve } from '../../apps/api/src/process/serve';
import { runningFacade } from '../facade/running';
import { secrets } from '../support/secrets';
import { newFolder, serving, until } from '../support/serving';
import { postgres } from '../support/stores/postgres';

let environment: Readonly<Record<string, string>>;
beforeEach(async () => {
  const [facade, database] = await Promise.all([runningFacade(), postgres()]);
  const stores = { DOCUMENTS: await database.fresh(), EVENT_LOG: facade.url, EVENT_LOG_ALLOW_INSECURE: 'true' };
  environment = { ...secrets, ...stores, PORT: '0', CHARTER_DATA: newFolder(), CHARTER_DEMO: 'off' };
}, 60_000);
const other = { SESSION_SECRET: 'another session secret than the secret of the others' };

describe('Processes with different secrets that share their stores', () => {
  it('do not both serve if they start at the same time', async () => {
    const settings = [environment, { ...environment, ...other }].map((each) => parseSettings(each));
    const [first, last] = [await openCharter(settings[0]!, 'server'), await openCharter(settings[1]!, 'server')];
    const logger = pino({ enabled: false });
    const outcomeOf = (charter: Charter) =>
      serve(charter, logger).then(
        ({ stop }) => stop().then(() => 'serves'),
        (error: unknown) => charter.close().then(() => String(error)),
      );
    const [outcome, lastOutcome] = [await outcomeOf(first), await outcomeOf(last)];
    expect(outcome).toMatch(/SESSION_SECRET differs from the secret of the other processes/);
    expect(lastOutcome).toBe('serves');
  }, 60_000);

  it('are not both ready if no process held a lease when the last process started', async () => {
    const first = await serving({ environment: { ...environment, ROLE: 'api' } });
    await until(async () => (await first.ask('GET', '/health/ready')).status === 200);
    const last = await serving({ environment: { ...environment, ...other } });
    const { status, body } = await first.ask('GET', '/health/ready');
    expect([status, body.checks.readModel]).toEqual([503, { ok: false }]);
    const { readModel } = first.entries().find(({ msg }) => msg === 'the service is not ready')!;
    expect(readModel).toMatch(/^SESSION_SECRET differs from the secret of the other processes/);
    await until(async () => (await last.ask('GET', '/health/ready')).status === 200);
    await last.stop();
    await first.stop();
  }, 60_000);
});
