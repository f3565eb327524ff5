/** The minimum length of a password. The page and the server count code points in NFC form. */
export const PASSWORD_CHARACTERS = 12;
