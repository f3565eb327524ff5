export { problemTypeOf, type ProblemDocument, statusOfRefusal } from './problem';
export { isProblemReason, problemGroups, type ProblemReason, problemReasons, problemTypes } from './problem-types';
