import type { Settings } from '../settings.ts';

export const name = ({ name: own }: Settings): string => own;
