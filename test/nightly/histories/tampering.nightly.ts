/**
 * Runs the imported spec, which damages an exported history in each way at a hundred places if LONG=1 is set
 * (`acceptance.md` I8).
 */
import '../../history/files/tampering.spec';
