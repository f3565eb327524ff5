import { execFileSync, spawnSync } from 'node:child_process';

/**
 * The command that runs strace. If strace is missing, this function installs it, as root on Debian or Ubuntu.
 * @throws an error that says how to install strace
 */
export function strace(): string {
  if (isThere()) return 'strace';
  try {
    execFileSync('apt-get', ['install', '-y', 'strace'], { stdio: 'ignore' });
  } catch {
    // The error below names the missing program.
  }
  if (!isThere())
    throw new Error('This test watches system calls: install strace, or run it as root where apt-get can.');
  return 'strace';
}

const isThere = () => spawnSync('strace', ['-V'], { stdio: 'ignore' }).status === 0;
