import type { Thing } from '#machines/target/machine.ts';

export const name = (of: Thing): string => of.name;
