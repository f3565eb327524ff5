/**
 * Runs the imported spec. With LONG=1, the spec damages an exported history in each way at a hundred places
 * (`acceptance.md` I8).
 */
import '../../history/files/tampering.spec';
