import type { Thing } from '#machines/target/thing.ts';

export const name = (of: Thing): string => of.name;
