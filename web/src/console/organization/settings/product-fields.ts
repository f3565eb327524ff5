import type { OrganizationDocument } from '@charter/client';

const fieldOf = (document: OrganizationDocument, field: string): unknown =>
  (document as unknown as Readonly<Record<string, unknown>>)[field];

/**
 * Whether the product of the second line is switched on. @param productKey the product key; it is the name of the field
 */
export const productIn = (document: OrganizationDocument, productKey: string): boolean =>
  fieldOf(document, productKey) === true;

/** The setting of parallel use; null if it was never set. */
export function parallelUseIn(document: OrganizationDocument, productKey: string): boolean | null {
  const details = fieldOf(document, `${productKey}Details`) as Readonly<{ parallelUse?: boolean | null }> | undefined;
  return details?.parallelUse ?? null;
}
