import { setFlagsFromString } from 'node:v8';
import { reportFailedWrite } from './terminal/output';
import { run } from './run';

/**
 * Exit codes of `charter`: 0 done, 1 refused or not verified, 2 wrong usage. After a signal, the process ends with that
 * signal.
 */
process.stdout.on('error', reportFailedWrite);
process.stderr.on('error', () => undefined); // there is no other output for a message

setFlagsFromString('--no-allocation-site-pretenuring'); // reads long histories faster: apps/api/src/main.ts

void run(process.argv).then(({ code, stoppedBy }) => {
  if (code !== 0) process.exitCode = code; // a server in this process may have set another exit code
  if (stoppedBy) process.kill(process.pid, stoppedBy);
});
