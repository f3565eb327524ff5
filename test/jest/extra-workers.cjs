// Two extra workers run the specs that wait most of the time. They run beside the workers of `maxWorkers`. Such a spec
// needs little processor time, but it would occupy another worker for up to a minute.
const { existsSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { default: TestRunner } = createRequire(require.resolve('jest'))('jest-runner');

/**
 * Specs whose Jest process uses the processor for at most a third of the time, because it waits for a timeout, a
 * server, a browser or a command. Keep this list short enough that the extra workers finish before the other workers.
 */
const waiting = [
  'test/contract/eventstore-unwell',
  'test/operation/readiness',
  'test/operation/broken-store',
  'test/mail/sending',
  'test/contract/eventstore-faults',
  'test/erasure/busy-file',
  'test/operation/frozen-event-store',
  'test/api/sign-in/single-sign-on',
  'test/api/sign-in/google',
  'test/facade/probes',
  'test/projections/poison',
  'test/api/eventstore',
  'test/crash/threads',
  'libs/database/src/leases',
  'apps/api/src/process/work/deferred-work',
  'libs/database/src/postgres/outage',
  'apps/api/src/process/signals',
  'test/journeys/demo',
  'test/journeys/drafts',
  'test/journeys/hardening',
  'test/journeys/looking-back',
  'test/journeys/members',
  'test/journeys/pages/screens',
  'test/journeys/proof',
  'test/journeys/reset',
  'test/client/stream',
  'libs/database/src/read-model/projection',
  'test/flags/event-streams',
  'test/contract/eventstore-empty',
  'test/docs/pages',
  'test/processes/roles',
  'test/openfeature/web-provider',
  'test/client/openfeature',
  'test/cli/export-import',
  'test/setup/ready',
  'test/client/package',
  'test/docs/readme',
  'test/processes/limits',
  'libs/database/src/open-database',
  'test/setup/start',
  'libs/database/src/read-model/rebuild',
  'test/crash/server',
  'test/crash/restore/restored',
  'test/processes/people',
  'test/client/crash',
  'test/cli/members-and-add-ons',
  'test/erasure/vacuum',
  'test/contract/eventstore-cluster',
  'libs/database/src/read-model/parking',
  'test/cli/organizations',
  'test/cli/completion',
  'test/projections/gaps',
  'test/cli/accounts',
  'test/cli/verify/verify',
  'test/cli/history',
  'test/cli/beside-a-server',
  'test/contract/eventstore-log',
  'test/api/sign-in/sign-in',
].map((name) => path.join(__dirname, '..', '..', `${name}.spec.ts`));

module.exports = class ExtraWorkersRunner extends TestRunner {
  #extra;

  constructor(globalConfig, context) {
    super(globalConfig, context);
    const missing = waiting.filter((file) => !existsSync(file));
    if (missing.length > 0)
      throw new Error(`test/jest/extra-workers.cjs names specs that do not exist: ${missing.join()}`);
    this.#extra = new TestRunner({ ...globalConfig, maxWorkers: 2 }, context);
  }

  async runTests(tests, watcher, options) {
    const [extra, usual] = [true, false].map((is) => tests.filter((test) => waiting.includes(test.path) === is));
    if (options.serial || extra.length === 0 || usual.length === 0) await super.runTests(tests, watcher, options);
    else await Promise.all([super.runTests(usual, watcher, options), this.#extra.runTests(extra, watcher, options)]);
  }

  on(eventName, listener) {
    const removals = [super.on(eventName, listener), this.#extra.on(eventName, listener)];
    return () => removals.forEach((remove) => remove());
  }
};
