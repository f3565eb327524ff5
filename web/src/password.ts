/** The minimum length, counted as the server counts: code points of the NFC form. */
export const PASSWORD_CHARACTERS = 12;
