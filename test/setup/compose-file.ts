import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { environmentOf } from './dockerfile';
import { clone, stages } from './image';

export type Service = Readonly<{
  image: string;
  build?: string;
  command?: readonly string[];
  environment?: Readonly<Record<string, string>>;
  ports?: readonly string[];
  volumes?: readonly string[];
  networks?: readonly string[];
  depends_on?: Readonly<Record<string, { condition: string }>>;
  healthcheck?: Readonly<{ test: readonly string[] }>;
  read_only?: boolean;
  restart?: string;
  mem_limit?: string;
  tmpfs?: readonly string[];
  cap_drop?: readonly string[];
  security_opt?: readonly string[];
  stop_grace_period?: string;
}>;
export type Compose = Readonly<{
  services: Readonly<Record<string, Service>>;
  networks?: Readonly<Record<string, { internal?: boolean } | null>>;
  volumes?: Readonly<Record<string, unknown>>;
}>;

/** The values that the operator must set, because no default would be safe. */
export const secrets = {
  POSTGRES_PASSWORD: 'ab'.repeat(24),
  SESSION_SECRET: Buffer.alloc(48, 1).toString('base64'),
  CHECKPOINT_KEY: Buffer.alloc(32, 1).toString('base64'),
};

/**
 * A compose file with its variables replaced, as `docker compose` replaces them. @throws if a required variable is
 * missing
 */
export function compose(file: string, variables: Readonly<Record<string, string>> = secrets): Compose {
  const read = parse(readFileSync(join(clone, file), 'utf8'), { merge: true }) as Compose;
  return JSON.parse(JSON.stringify(read, (_, value) => (typeof value === 'string' ? filled(value, variables) : value)));
}

const filled = (text: string, variables: Readonly<Record<string, string>>) =>
  text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = '') => {
    const value = variables[name];
    if (value) return value;
    if (kind === '-') return rest;
    throw new Error(`${name}: ${kind === '?' ? rest : 'has no default'}`);
  });

/** The environment of a Charter process: the settings of the image and of the compose file. */
export const environmentIn = ({ environment }: Service): Readonly<Record<string, string>> => ({
  ...environmentOf(stages.at(-1)!),
  ...environment,
});
