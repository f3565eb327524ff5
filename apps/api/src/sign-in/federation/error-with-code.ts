/** An error with a code, which the log may contain: it is never a text from a provider. */
export const errorWithCode = (code: string, message: string): Error => Object.assign(new Error(message), { code });
