import { name as own } from './status.ts';

export const name = own;
