// Measures how long flags in this process take: @charter/client, the clients of Unleash and LaunchDarkly with test
// data, and the providers of OpenFeature. node --max-semi-space-size=512 --expose-gc evaluation.mjs: with so large a
// space for new objects, no garbage collection runs during a measurement. So the growth of the heap is the allocated
// memory.
import { once } from 'node:events';
import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import * as launchDarkly from '@launchdarkly/node-server-sdk';
import { TestData } from '@launchdarkly/node-server-sdk/integrations';
import { InMemoryProvider, OpenFeature } from '@openfeature/server-sdk';
import { Unleash } from 'unleash-client';
import { createCharter } from '../../../dist/client/index.js';
import { CharterFlagProvider } from '../../../dist/client/openfeature.js';

const FLAG = 'feedback';
const BLOCK = 1_000;

process.on('message', async (message) => {
  if (message.server) process.send(await prepare(message.server));
  else process.send(await measure[message.measure](message.calls));
});
process.on('disconnect', () => process.exit(0));

let acme, unleash, launched, flags, memory;
const context = { kind: 'user', key: 'user' };
const subject = {};

async function prepare({ url, key, id }) {
  const charter = createCharter({ url, key });
  acme = charter.organization(id);
  await acme.ready();

  const [on, strategies] = [acme.can(FLAG), [{ name: 'default', parameters: {}, constraints: [] }]];
  unleash = new Unleash({
    ...{ appName: 'bench', url: 'http://127.0.0.1:1/', refreshInterval: 0, disableMetrics: true },
    bootstrap: { data: [{ name: FLAG, type: 'release', project: 'default', enabled: on, strategies, variants: [] }] },
  });
  unleash.on('error', () => undefined); // there is no server of Unleash: the flags come from `bootstrap`
  await once(unleash, 'ready');
  const data = new TestData();
  await data.update(data.flag(FLAG).booleanFlag().variationForAll(on));
  launched = launchDarkly.init('sdk-key', {
    ...{ updateProcessor: data.getFactory(), sendEvents: false, diagnosticOptOut: true },
    logger: launchDarkly.basicLogger({ level: 'none' }),
  });
  await launched.waitForInitialization({ timeout: 10 });

  subject.targetingKey = id;
  const inMemory = {
    [FLAG]: { variants: { on: true, off: false }, defaultVariant: on ? 'on' : 'off', disabled: false },
  };
  await OpenFeature.setProviderAndWait('charter', new CharterFlagProvider(charter));
  await OpenFeature.setProviderAndWait('memory', new InMemoryProvider(inMemory));
  flags = OpenFeature.getClient('charter');
  memory = OpenFeature.getClient('memory');
  return { on, unleash: unleash.isEnabled(FLAG), launchDarkly: await launched.boolVariation(FLAG, context, !on) };
}

const measure = {
  can: (calls) => blocks(calls, () => acme.can(FLAG)),
  why: (calls) => blocks(calls, () => acme.why('users')),
  unleash: (calls) => blocks(calls, () => unleash.isEnabled(FLAG)),
  launchDarkly: (calls) => later(calls, () => launched.boolVariation(FLAG, context, false)),
  openFeature: (calls) => later(calls, () => flags.getBooleanValue(FLAG, false, subject)),
  inMemory: (calls) => later(calls, () => memory.getBooleanValue(FLAG, false, subject)),
  allocated: async (calls) => {
    const collections = []; // their starts, in milliseconds
    const observer = new PerformanceObserver((list) => {
      collections.push(...list.getEntries().map(({ startTime }) => startTime));
    });
    observer.observe({ entryTypes: ['gc'] });
    blocks(calls / 10, () => acme.can(FLAG));
    globalThis.gc();
    const begun = performance.now();
    const before = process.memoryUsage().heapUsed;
    let on = 0;
    for (let call = 0; call < calls; call += 1) if (acme.can(FLAG)) on += 1;
    const after = process.memoryUsage().heapUsed;
    const ended = performance.now();
    await turn(); // Node reports collections later
    observer.disconnect();
    const isDisturbed = collections.some((start) => start >= begun && start <= ended);
    if (isDisturbed || (on !== 0 && on !== calls)) throw new Error('A garbage collection disturbed the figure.');
    return (after - before) / calls;
  },
};

/** The median duration of one call in nanoseconds, from blocks of calls. */
function blocks(calls, ask) {
  const figures = [];
  let on = 0;
  for (let block = 0; block < calls / BLOCK; block += 1) {
    const begun = process.hrtime.bigint();
    for (let call = 0; call < BLOCK; call += 1) if (ask()) on += 1;
    figures.push(Number(process.hrtime.bigint() - begun) / BLOCK);
  }
  return { ns: middle(figures), on };
}

async function later(calls, ask) {
  const figures = [];
  let on = 0;
  for (let block = 0; block < calls / BLOCK; block += 1) {
    const begun = process.hrtime.bigint();
    for (let call = 0; call < BLOCK; call += 1) if (await ask()) on += 1;
    figures.push(Number(process.hrtime.bigint() - begun) / BLOCK);
  }
  return { ns: middle(figures), on };
}

const middle = (figures) => figures.sort((one, other) => one - other)[Math.floor(figures.length / 2)];
