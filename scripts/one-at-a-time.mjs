import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Runs `work` while no other process holds this lock.
 *
 * The lock is a folder with one empty file, named after its holder. A process first makes such a folder under another
 * name, and takes the lock by renaming this folder. The rename fails unless the lock is missing or empty. If the holder
 * has crashed, another process removes only the file of that holder, and the folder if it is then empty. A process can
 * therefore neither take the lock of a running holder nor remove the lock of a later holder.
 */
export async function oneAtATime(lock, work, say) {
  const me = `${process.pid}-${startOf(process.pid)}`;
  let told = false;
  while (!take(lock, me)) {
    const holder = holderOf(lock);
    if (holder !== undefined && !isAlive(holder)) leave(lock, holder);
    else {
      if (!told) say(`Waiting for process ${holder?.split('-')[0] ?? '…'}, which is installing or building.`);
      told = true;
      await pause(200);
    }
  }
  try {
    return await work();
  } finally {
    leave(lock, me);
  }
}

function take(lock, me) {
  const own = `${lock}.${me}`;
  mkdirSync(own, { recursive: true });
  writeFileSync(path.join(own, me), '');
  try {
    renameSync(own, lock);
    return true;
  } catch (error) {
    rmSync(own, { recursive: true, force: true });
    if (['ENOTEMPTY', 'EEXIST'].includes(error.code)) return false;
    throw error;
  }
}

function leave(lock, holder) {
  ignoring(['ENOENT'], () => unlinkSync(path.join(lock, holder)));
  ignoring(['ENOENT', 'ENOTEMPTY', 'EEXIST'], () => rmdirSync(lock));
}

const holderOf = (lock) => ignoring(['ENOENT'], () => readdirSync(lock)[0]);

function isAlive(holder) {
  const [pid, start] = holder.split('-');
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  return startOf(pid) === start;
}

/** A process's start time from /proc. The start time distinguishes the holder from a later process with the same id. */
function startOf(pid) {
  const stat = ignoring(['ENOENT', 'ESRCH'], () => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function ignoring(codes, attempt) {
  try {
    return attempt();
  } catch (error) {
    if (!codes.includes(error.code)) throw error;
    return undefined;
  }
}
