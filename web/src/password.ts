/** The length as the server counts it: code points of the NFC form. */
export const PASSWORD_CHARACTERS = 12;
