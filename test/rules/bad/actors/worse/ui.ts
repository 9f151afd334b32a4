import type { Thing } from '#ui/target/thing.ts';

export const name = (of: Thing): string => of.name;
