// A thread that computes password hashes. This file imports no other file of Charter, because Node loads it in specs
// without a build.
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';

/** The cost of one argon2id hash: KiB of memory, number of passes over the memory, number of lanes. */
export type HashCost = Readonly<{ memoryCost: number; timeCost: number; parallelism: number }>;
export type HashingJob =
  Readonly<{ password: string; cost: HashCost }> | Readonly<{ password: string; stored: string }>;
export type HashingOutcome = Readonly<{ hash: string }> | Readonly<{ isRight: boolean }> | Readonly<{ why: string }>;

/**
 * The difference in niceness from the process's other threads. Linux runs the other threads first, so that requests do
 * not wait for a core. On a core that other threads keep busy, a thread with this niceness still gets a tenth of the
 * time (110 of 1,134: the weights of Linux are 110 for niceness 10, and 1,024 for niceness 0).
 */
const NICER = 10;

// Only Linux has a priority for each thread. On other systems this call would change the priority of the process.
if (process.platform === 'linux')
  try {
    setPriority(Math.min(getPriority() + NICER, constants.priority.PRIORITY_LOW));
  } catch {
    // A sandbox can forbid the change of the priority. The thread then hashes with the priority of the process.
  }

const port = parentPort!; // this file runs only as a thread
port.on('message', (job: HashingJob) => port.postMessage(outcomeOf(job)));

function outcomeOf(job: HashingJob): HashingOutcome {
  try {
    return 'cost' in job
      ? { hash: hashSync(job.password, job.cost) }
      : { isRight: verifySync(job.stored, job.password) };
  } catch (error) {
    return { why: String(error) };
  }
}
