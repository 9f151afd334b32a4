import type { Thing } from '#actors/target/thing.ts';

export const name = (of: Thing): string => of.name;
