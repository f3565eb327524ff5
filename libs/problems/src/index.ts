export { problemTypeOf, type ProblemDocument, statusOfRefusal } from './problem';
export { type ProblemReason, problemReasons } from './problem-types';
