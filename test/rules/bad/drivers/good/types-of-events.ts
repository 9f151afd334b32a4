import type { Thing } from '#machines/target/events.ts';

export const name = (of: Thing): string => of.name;
