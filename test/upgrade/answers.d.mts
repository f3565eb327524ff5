export function answersOf(get: (path: string) => Promise<string>): Promise<Record<string, unknown>>;
