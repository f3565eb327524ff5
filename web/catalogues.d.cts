export function moduleOf(po: string, style?: string): string;
export function messagesOf(po: string, mapText?: (text: string) => string): Readonly<Record<string, unknown>>;
