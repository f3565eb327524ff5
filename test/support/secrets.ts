/** What processes share where their stores are not embedded. */
export const secrets = {
  SESSION_SECRET: 'the same for every process of a test, and nobody else’s',
  CHECKPOINT_KEY: Buffer.alloc(32, 'charter').toString('base64'),
} as const;
