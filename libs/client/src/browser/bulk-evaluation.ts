import { UnexpectedAnswer } from '../errors.js';
import type { WholeAnswer } from '../requests/send.js';
import type { ValueSource, WhyReason } from '../values.js';

/** A flag in the answer of a bulk evaluation (OFREP), as far as the client reads it. */
type EvaluatedFlag = Readonly<{
  key: string;
  value?: unknown;
  metadata?: Readonly<{ because?: string; event?: number; used?: number; unlimited?: boolean }>;
}>;
export type BulkAnswer = Readonly<{
  flags: readonly EvaluatedFlag[];
  metadata: Readonly<{ revision: number }>;
  eventStreams?: readonly Readonly<{
    type: string;
    url?: string;
    endpoint?: Readonly<{ origin?: string; requestUri: string }>;
  }>[];
}>;

/** @throws UnexpectedAnswer if this is no answer of a bulk evaluation */
export function checkedBulk({ status, body }: WholeAnswer): BulkAnswer {
  const { flags, metadata } = (body ?? {}) as Partial<BulkAnswer>;
  if (Array.isArray(flags) && flags.length > 0 && Number.isInteger(metadata?.revision)) return body as BulkAnswer;
  throw new UnexpectedAnswer(status, 'has no flags');
}

/** The features and limits of an organization, from its flags. */
export function valuesOfFlags({ flags, metadata: { revision } }: BulkAnswer): ValueSource {
  const features: Record<string, ValueSource['features'][string]> = {};
  const limits: Record<string, ValueSource['limits'][string]> = {};
  const byKey = new Map(flags.map((flag) => [flag.key, flag]));
  for (const { key, value, metadata = {} } of flags) {
    const because = reasonsOf(metadata);
    const [group, name] = key.split('.');
    const rest = byKey.get(`remaining.${name}`);
    if (name === undefined && typeof value === 'boolean') features[key] = { on: value, because };
    if (group !== 'limit' || name === undefined || typeof value !== 'number' || typeof rest?.value !== 'number')
      continue;
    const unlimited = metadata.unlimited === true;
    limits[name] = {
      limit: unlimited ? null : value,
      used: rest.metadata?.used ?? 0,
      remaining: rest.metadata?.unlimited === true ? null : rest.value,
      unlimited,
      because,
    };
  }
  return { revision, features, limits };
}

const reasonsOf = ({ because, event }: NonNullable<EvaluatedFlag['metadata']>): readonly WhyReason[] =>
  because === undefined ? [] : [{ kind: 'in-words', what: because, ...(event !== undefined && { event }) }];

/** The address of the event stream in the answer of a bulk evaluation. */
export function streamAddress({ eventStreams = [] }: BulkAnswer, base: string): URL | undefined {
  const stream = eventStreams.find(({ type }) => type === 'sse');
  if (stream?.url !== undefined) return new URL(stream.url, base);
  return stream?.endpoint && new URL(stream.endpoint.requestUri, stream.endpoint.origin ?? base);
}
