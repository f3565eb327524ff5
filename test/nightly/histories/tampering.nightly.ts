/** Each kind of damage at a hundred places (`acceptance.md` I8): LONG=1 sets the count. */
import '../../history/files/tampering.spec';
