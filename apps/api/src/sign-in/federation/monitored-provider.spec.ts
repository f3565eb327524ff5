import { type OwnProvider, startOwnProvider } from '../../../../../test/support/sign-in/own-provider';
import { until } from '../../../../../test/support/serving';
import { egress } from './egress';
import { monitorProvider } from './monitored-provider';

let provider: OwnProvider;
/** Runs the periodic work of the monitored provider once, as the timer does every 30 seconds. */
let tick: () => void;
beforeEach(async () => {
  provider = await startOwnProvider();
  jest.spyOn(globalThis, 'setInterval').mockImplementation((work) => {
    tick = work;
    return { unref: () => undefined } as never;
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await provider.close();
});

const discoveries = () => provider.requested.filter((path) => path.includes('openid-configuration')).length;
async function monitored() {
  const said: string[] = [];
  const log = (...line: unknown[]) => void said.push(String(line.at(-1)));
  const google = { issuer: provider.issuer, clientId: 'charter', clientSecret: 'a secret' };
  const own = monitorProvider(egress('any-address'), {
    settings: { google, role: 'all' } as never,
    logger: { info: log, warn: log } as never,
    now: Date.now,
    stopping: () => false,
  });
  await own.at(provider.issuer);
  return { own, said };
}

describe('R9: The sign-in provider in the settings', () => {
  it('is reported as failing after five minutes without an answer, and is checked again 30 seconds later', async () => {
    const { own, said } = await monitored();
    expect([own.state(), discoveries()]).toEqual(['ok', 1]);
    provider.failsAt('discovery', (response) => response.destroy());
    for (let count = 0; count < 9; count += 1) tick();
    await own.at(provider.issuer);
    expect([own.state(), discoveries()]).toEqual(['ok', 1]);

    tick();
    await until(() => own.state() === 'failing');
    // the provider's cached metadata
    await expect(own.at(provider.issuer)).resolves.toMatchObject({ issuer: provider.issuer });
    expect(own.state()).toBe('failing');
    provider.recovers();
    tick();
    await until(() => own.state() === 'ok');
    expect([discoveries(), said]).toEqual([
      3,
      ['Google does not answer; signing in by password works', 'Google answers again'],
    ]);
  });

  it('is checked again after 30 seconds if the first check gets no answer', async () => {
    provider.failsAt('discovery', (response) => response.destroy());
    await expect(monitored()).rejects.toThrow();
    provider.recovers();
    const before = discoveries();
    tick();
    await until(() => discoveries() === before + 1);
  });
});
