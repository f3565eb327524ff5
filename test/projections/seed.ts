/** The seed of random runs. The run prints the seed, so that SEED=… can repeat the run. */
export const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
beforeAll(() => process.stdout.write(`SEED=${seed}\n`));
