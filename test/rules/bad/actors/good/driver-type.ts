import type { Thing } from '#drivers/target/thing.ts';

export const name = (of: Thing): string => of.name;
