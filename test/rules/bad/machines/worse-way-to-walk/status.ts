export { name } from './words.ts';
