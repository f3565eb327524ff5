import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { confirm } from './account-erase';

describe('Erasing an account from a terminal', () => {
  const id = randomUUID();
  const typing = async (text: string) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    input.write(text);
    await confirm(id, { input, output, signal: new AbortController().signal });
    return String(output.read());
  };

  it("asks for the account's id, and erases nothing if the operator enters another text", async () => {
    expect(await typing(`${id.toUpperCase()}\n`)).toContain(`Type the id, ${id},`);
    for (const text of ['\n', 'yes\n', `${randomUUID()}\n`])
      await expect(typing(text)).rejects.toThrow('Nothing was erased.');
  });

  it('stops waiting for the id when the operator interrupts the command', async () => {
    const stop = new AbortController();
    const confirmation = confirm(id, { input: new PassThrough(), output: new PassThrough(), signal: stop.signal });
    stop.abort();
    await expect(confirmation).rejects.toThrow(/abort/i);
  });
});
