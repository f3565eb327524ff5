// Gives the server's specs Node's own global objects, as in production. By default, Jest creates global objects for
// each spec file, and reaches `Buffer` and `process` through a proxy. With the proxy, a spec that mostly computes needs
// up to 50 % more processor time. With Node's objects, `instanceof Error` is also true for an error of a shared package
// (test/jest/packages.cjs).
//
// After each spec file, the environment restores global names and environment variables. It also stops the measurements
// that a service started. Jest restores the functions that a spec replaced with `jest.spyOn`. A spec must itself undo
// three kinds of change: to prototypes, to the state of shared packages, and to listeners of `process`.
const { createRequire } = require('node:module');
const perfHooks = require('node:perf_hooks');
const requireFromEnvironment = createRequire(createRequire(require.resolve('jest')).resolve('jest-environment-node'));
const { TestEnvironment } = requireFromEnvironment('jest-environment-node');
const { ModuleMocker } = requireFromEnvironment('jest-mock');
const { ModernFakeTimers } = requireFromEnvironment('@jest/fake-timers');
const { globalsOfPackages } = require('./packages.cjs');

const { PerformanceObserver, monitorEventLoopDelay } = perfHooks;
/** Node's own maximum number of frames in the stack trace of an error. */
const STACK_TRACE_LIMIT = 10;

module.exports = class NodeGlobalsEnvironment extends TestEnvironment {
  #globals = Object.getOwnPropertyDescriptors(globalThis);
  #environmentVariables = { ...process.env };
  #processFunctions = functionsThatJestReplaces();
  #stopMeasuring = [];

  constructor(config, context) {
    super(config, context);
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers.dispose();
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
  }

  // `prom-client` observes garbage collections and the event loop for each service, and never stops. Without this code,
  // each observer keeps the modules of its spec file in memory, and needs processor time at each garbage collection.
  //
  // Jest sets the limit of stack traces to 100 frames. With Node's own limit, a spec whose requests are refused needs
  // about 8 % less processor time.
  async setup() {
    await super.setup();
    Error.stackTraceLimit = STACK_TRACE_LIMIT;
    const stops = this.#stopMeasuring;
    perfHooks.PerformanceObserver = class extends PerformanceObserver {
      constructor(callback) {
        super(callback);
        stops.push(() => this.disconnect());
      }
    };
    perfHooks.monitorEventLoopDelay = (options) => {
      const histogram = monitorEventLoopDelay(options);
      stops.push(() => histogram.disable());
      return histogram;
    };
  }

  async teardown() {
    Object.assign(perfHooks, { PerformanceObserver, monitorEventLoopDelay });
    for (const stop of this.#stopMeasuring.splice(0)) stop();
    await super.teardown();
    Object.assign(process, this.#processFunctions);
    restoreEnvironmentVariables(this.#environmentVariables);
    restoreGlobals(this.#globals);
    resetMatchers();
  }
};

function functionsThatJestReplaces() {
  const { chdir, cwd, exit, getBuiltinModule } = process;
  return { chdir, cwd, exit, getBuiltinModule };
}

function restoreEnvironmentVariables(before) {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(before, name)) delete process.env[name];
  Object.assign(process.env, before);
}

function restoreGlobals(before) {
  for (const name of Reflect.ownKeys(globalThis))
    if (!Object.hasOwn(before, name) && !globalsOfPackages.has(name)) Reflect.deleteProperty(globalThis, name);
  for (const name of Reflect.ownKeys(before)) {
    const now = Object.getOwnPropertyDescriptor(globalThis, name);
    if (now?.value !== before[name].value || now?.get !== before[name].get)
      Reflect.defineProperty(globalThis, name, before[name]);
  }
}

/** Removes what a spec added with `expect.extend` or `expect.addEqualityTesters`. Jest loads its own matchers again. */
function resetMatchers() {
  const matchers = globalThis[Symbol.for('$$jest-matchers-object')]; // `restoreGlobals` cannot delete this property
  if (matchers) Object.assign(matchers, { customEqualityTesters: [], matchers: {} });
}
