export { problemTypeOf, type ProblemDocument, statusOfRefusal } from './problem';
