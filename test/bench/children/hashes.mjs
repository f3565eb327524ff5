// The floor (the program to compare with) for sign-ins: computes only argon2id hashes, as many at once as the service.
import { createRequire } from 'node:module';

const { hash, verify } = createRequire(import.meta.url)('@node-rs/argon2');

process.on('message', async ({ parameters, atOnce, seconds }) => {
  const stored = await hash('the password', parameters);
  const until = performance.now() + seconds * 1000;
  let done = 0;
  const work = async () => {
    while (performance.now() < until) {
      await verify(stored, 'the password');
      done += 1;
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: atOnce }, work));
  process.send((done * 1000) / (performance.now() - begun));
});
process.on('disconnect', () => process.exit(0));
