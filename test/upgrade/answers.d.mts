/** Reads the answers of a service about all organizations and keys, as this operator, and returns each under its path. */
export function answersOf(
  url: string,
  operator: Readonly<{ email: string; password: string }>,
): Promise<Record<string, unknown>>;
