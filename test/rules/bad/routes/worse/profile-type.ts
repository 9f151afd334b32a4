import type { Thing } from '#profiles/target/thing.ts';

export const name = (of: Thing): string => of.name;
