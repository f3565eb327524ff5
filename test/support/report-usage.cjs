// NODE_OPTIONS loads this file into the server of a spec. At SIGUSR2, the server then writes its processor time, and
// its memory after a garbage collection, into the file USAGE_FILE.
const { writeFileSync, renameSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

process.on('SIGUSR2', () => {
  const cpuBeforeMs = cpuMs();
  gc();
  gc();
  const { rss, heapUsed, external } = process.memoryUsage();
  const file = process.env.USAGE_FILE;
  writeFileSync(`${file}.part`, JSON.stringify({ rss, used: heapUsed + external, cpuBeforeMs, cpuAfterMs: cpuMs() }));
  renameSync(`${file}.part`, file);
});
