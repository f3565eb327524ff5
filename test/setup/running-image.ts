import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/network/free-port.mjs';
import { environmentOf, type Stage, wordsOf } from './dockerfile';
import { type Image, movedTo } from './image';

export type Ended = Readonly<{ code: number | null; stdout: string; stderr: string }>;

/**
 * Runs the process of an image as the image's user, with only the image's settings. The process cannot write to its
 * root folder.
 */
export class Container {
  readonly port: Promise<string> = freePort().then(String);
  private readonly root: string;
  private readonly stage: Stage;

  constructor(image: Image, stage: Stage) {
    this.stage = stage;
    this.root = image.root(stage.name);
    closeFolders(this.root, this.data);
  }

  /** The only folder to which the process can write. */
  get data(): string {
    return join(this.root, this.stage.steps.find(({ does }) => does === 'VOLUME')!.given);
  }

  /** Starts the server with the entry point and the command of the image. */
  async serve(): Promise<ChildProcess> {
    return this.start(wordsOf(this.stage, 'CMD'));
  }

  /** Starts the entry point with other arguments, like `docker run charter …`. */
  async start(words: readonly string[]): Promise<ChildProcess> {
    return this.spawned([...wordsOf(this.stage, 'ENTRYPOINT'), ...words]);
  }

  run = async (words: readonly string[]): Promise<Ended> => ended(await this.start(words));
  checkHealth = async (): Promise<Ended> => ended(await this.spawned(wordsOf(this.stage, 'HEALTHCHECK')));

  private async spawned([command, ...words]: readonly string[]): Promise<ChildProcess> {
    const brought = Object.entries(environmentOf(this.stage)).map(([name, value]) => [name, movedTo(this.root, value)]);
    const env = {
      ...(Object.fromEntries(brought) as Record<string, string>),
      PATH: `${join(this.root, 'usr/local/bin')}:/usr/bin:/bin`,
      TMPDIR: '/nowhere', // this folder does not exist, so the process cannot write temporary files
      HOST: '127.0.0.1',
      PORT: await this.port,
    };
    const [uid, gid] = this.stage.steps
      .find(({ does }) => does === 'USER')!
      .given.split(':')
      .map(Number);
    const cwd = join(this.root, this.stage.steps.find(({ does }) => does === 'WORKDIR')!.given);
    return spawn(command!, words, { cwd, env, ...(process.getuid?.() === 0 && { uid, gid }) });
  }
}

async function ended(child: ChildProcess): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  child.stdout!.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr!.on('data', (chunk) => (stderr += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/**
 * Makes folders read-only for the process. If root runs the test, the image's user has no write permission anyway.
 * Otherwise, this function removes the write permission.
 */
function closeFolders(folder: string, but: string): void {
  if (process.getuid?.() === 0 || folder === but) return;
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) closeFolders(join(folder, entry.name), but);
  chmodSync(folder, 0o555);
}
