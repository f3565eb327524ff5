/** Each kind of damage at a hundred places (`acceptance.md` I8). The imported spec reads the count from LONG=1. */
import '../../history/files/tampering.spec';
