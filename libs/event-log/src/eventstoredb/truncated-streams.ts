import { isLogError } from '../errors';
import type { ServerCalls } from './calls';

/** The names of a stream's settings that make the server drop events: by number, by age, or before a revision. */
export async function retentionSettingsOf(calls: ServerCalls, stream: string): Promise<readonly string[]> {
  const request = { stream: `$$${stream}`, direction: 'backwards', from: 'end', maxCount: 1, ms: calls.ms } as const;
  const [set] = await calls.page(request).catch((error: unknown) => {
    if (isLogError(error, 'not-found')) return [];
    throw error;
  });
  return retentionKeys.filter((key) => typeof set?.data === 'object' && Object.hasOwn(set.data, key));
}

const retentionKeys = ['$maxCount', '$maxAge', '$tb'];
