import type { Thing } from './machine.ts';

export const name = ({ name: own }: Thing): string => own;
