import { isLogError } from '../errors';
import type { ServerCalls } from './calls';

/** Which settings of a stream make the server drop its events after a time, a number, or up to a revision. */
export async function retentionSettingsOf(calls: ServerCalls, stream: string): Promise<readonly string[]> {
  const of = { stream: `$$${stream}`, direction: 'backwards', from: 'end', maxCount: 1, ms: calls.ms } as const;
  const [set] = await calls.page(of).catch((error: unknown) => {
    if (isLogError(error, 'not-found')) return [];
    throw error;
  });
  return forgetting.filter((key) => typeof set?.data === 'object' && Object.hasOwn(set.data, key));
}

const forgetting = ['$maxCount', '$maxAge', '$tb'];
