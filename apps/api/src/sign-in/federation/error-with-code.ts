/** An error with a code of Charter. The log contains the code, because no provider can choose it. */
export const errorWithCode = (code: string, message: string): Error => Object.assign(new Error(message), { code });
