/** A hundred lost answers (`acceptance.md` L3): LONG=1 says how often. */
import '../api/lost-answers.spec';
