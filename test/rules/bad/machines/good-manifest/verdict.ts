import type { Thing } from '../kit/thing.ts';
import type { Settings } from '../settings.ts';

export const judge = ({ name }: Thing & Settings): string => name;
