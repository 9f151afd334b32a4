import type { Thing } from '../target/events.ts';

export const name = ({ name: own }: Thing): string => own;
