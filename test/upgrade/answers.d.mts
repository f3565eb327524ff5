/** Reads the answers of a service about all organizations and keys as this operator. The keys are the paths. */
export function answersOf(
  url: string,
  operator: Readonly<{ email: string; password: string }>,
): Promise<Record<string, unknown>>;
