import { isBrokenPipe } from './terminal/output';
import { run } from './run';

/** `charter`: 0 is fine, 1 refused or not verified, 2 misused; stopped by a signal, it ends by that signal. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (!isBrokenPipe(error)) throw error; // whoever reads no further, as `head` does, has all they wanted
  });
}

void run(process.argv).then(({ code, stoppedBy }) => {
  if (code !== 0) process.exitCode = code; // a server that was started may have set its own
  if (stoppedBy) process.kill(process.pid, stoppedBy);
});
