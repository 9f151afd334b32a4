import type { Thing } from '../target/machine.ts';

export const name = (of: Thing): string => of.name;
