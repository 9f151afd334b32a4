import type { Thing } from '#routes/target/thing.ts';

export const name = (of: Thing): string => of.name;
