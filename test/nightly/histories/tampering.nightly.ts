/** Each kind of damage at a hundred places (`acceptance.md` I8): LONG=1 says how often. */
import '../../history/files/tampering.spec';
