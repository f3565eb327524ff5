/** The answer of `POST /api/v1/organizations/{id}/flag-tickets`. */
export type FlagTicket = Readonly<{ ticket: string; expires: string }>;
