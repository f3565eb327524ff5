/** Which organization a payment provider's customer belongs to: one alone. Claimed before the event that says so is appended. */
export type Customers = Readonly<{
  /**
   * Takes the customer for the organization. `new`: it was free; `known`: it is this organization's already; `taken`: it is
   * another one's.
   */
  claim(provider: string, customer: string, organization: string, now: number): Promise<'new' | 'known' | 'taken'>;
  /** Gives back what was claimed and then not appended. What belongs to another organization stays. */
  takeBack(provider: string, customer: string, organization: string): Promise<void>;
  organizationOf(provider: string, customer: string): Promise<string | undefined>;
  /** All customers of an organization, in the order of their names. */
  of(organization: string): Promise<readonly Readonly<{ provider: string; customer: string }>[]>;
}>;
