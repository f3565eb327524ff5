export { calledBy, type Problem, statusOf } from './problem';
