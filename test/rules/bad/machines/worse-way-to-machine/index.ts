import { name as own } from './rows.ts';

export const name = own;
