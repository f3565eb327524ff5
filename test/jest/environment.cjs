// The environment of the server's specs. By default, Jest gives each spec file its own global objects, behind a proxy.
// Each use of `Buffer` or `process` then takes longer: specs that compute much need half as much processor time again.
// This environment gives specs the global objects of Node, as in production. Spec files can then share the packages
// (test/jest/packages.cjs), because `instanceof Error` is true for an error of a shared package.
//
// After each spec file, the environment undoes what the file changed: global names, environment variables, and
// measurements that a service has started in the process. Jest undoes mocks.
const { createRequire } = require('node:module');
const perfHooks = require('node:perf_hooks');
const ofEnvironment = createRequire(createRequire(require.resolve('jest')).resolve('jest-environment-node'));
const { TestEnvironment } = ofEnvironment('jest-environment-node');
const { ModuleMocker } = ofEnvironment('jest-mock');
const { ModernFakeTimers } = ofEnvironment('@jest/fake-timers');
const { namesOfPackages } = require('./packages.cjs');

const { PerformanceObserver, monitorEventLoopDelay } = perfHooks;

module.exports = class NodeGlobals extends TestEnvironment {
  #globals = Object.getOwnPropertyDescriptors(globalThis);
  #variables = { ...process.env };
  #ofProcess = { exit: process.exit, getBuiltinModule: process.getBuiltinModule }; // Jest replaces both
  #measurements = [];

  constructor(config, context) {
    super(config, context);
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers.dispose();
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
  }

  // `prom-client` observes garbage collections and the event loop for each service, and never stops. Each observer
  // would keep all modules of its spec file in memory, and use the processor at each garbage collection of later specs.
  async setup() {
    await super.setup();
    const ends = this.#measurements;
    perfHooks.PerformanceObserver = class extends PerformanceObserver {
      constructor(callback) {
        super(callback);
        ends.push(() => this.disconnect());
      }
    };
    perfHooks.monitorEventLoopDelay = (options) => {
      const histogram = monitorEventLoopDelay(options);
      ends.push(() => histogram.disable());
      return histogram;
    };
  }

  async teardown() {
    Object.assign(perfHooks, { PerformanceObserver, monitorEventLoopDelay });
    for (const end of this.#measurements.splice(0)) end();
    await super.teardown();
    Object.assign(process, this.#ofProcess);
    restoreVariables(this.#variables);
    restoreGlobals(this.#globals);
  }
};

function restoreVariables(before) {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(before, name)) delete process.env[name];
  Object.assign(process.env, before);
}

function restoreGlobals(before) {
  for (const name of Reflect.ownKeys(globalThis)) {
    const { value, get } = Object.getOwnPropertyDescriptor(globalThis, name);
    const original = before[name];
    if (!original && !namesOfPackages.has(name)) Reflect.deleteProperty(globalThis, name);
    else if (original && (value !== original.value || get !== original.get))
      Reflect.defineProperty(globalThis, name, original);
  }
}
