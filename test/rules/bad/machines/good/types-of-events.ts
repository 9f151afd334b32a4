import type { Thing } from '../target/events.ts';

export const name = (of: Thing): string => of.name;
