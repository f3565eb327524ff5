/** The minimum length of a password. Page and server count the code points of its NFC form. */
export const PASSWORD_CHARACTERS = 12;
