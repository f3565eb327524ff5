export { problemTypeOf, type ProblemDocument, statusOfRefusal } from './problem';
export type { ProblemReason } from './problem-types';
