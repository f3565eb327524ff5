/** The seed of random runs. It is printed, so that a run can be repeated with SEED=… */
export const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
beforeAll(() => process.stdout.write(`SEED=${seed}\n`));
