// Ends the measurements that a spec has started in its process. `prom-client` observes garbage collections and the
// event loop for each service, and never stops. Otherwise each observer keeps all modules of its spec file in memory.
// The observer also uses the processor at each garbage collection of later specs.
const { createRequire } = require('node:module');
const perfHooks = require('node:perf_hooks');
const { TestEnvironment } = createRequire(require.resolve('jest'))('jest-environment-node');

const { PerformanceObserver, monitorEventLoopDelay } = perfHooks;

module.exports = class EndingMeasurements extends TestEnvironment {
  #ends = [];

  async setup() {
    await super.setup();
    const ends = this.#ends;
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
    for (const end of this.#ends.splice(0)) end();
    await super.teardown();
  }
};
