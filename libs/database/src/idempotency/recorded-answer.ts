/** The stored HTTP answer to the first request with an idempotency key. `body` is empty if the answer has no body. */
export type RecordedAnswer = Readonly<{ status: number; headers: Readonly<Record<string, string>>; body: string }>;

export type IdempotencyChange = Readonly<{ key: string; to: RecordedAnswer | 'outcome unknown' | 'withdrawn' }>;
