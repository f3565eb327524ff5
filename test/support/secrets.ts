/** The secrets that processes must share when their stores are not embedded. */
export const secrets = {
  SESSION_SECRET: 'one session secret for every process of a test',
  CHECKPOINT_KEY: Buffer.alloc(32, 'charter').toString('base64'),
} as const;
