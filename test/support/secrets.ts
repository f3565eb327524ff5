/** The secrets that processes on the same stores must share. */
export const secrets = {
  SESSION_SECRET: 'one session secret for every process of a test',
  CHECKPOINT_KEY: Buffer.alloc(32, 'charter').toString('base64'),
} as const;
