/** Counted as the server counts: code points of the composed form. */
export const PASSWORD_CHARACTERS = 12;
