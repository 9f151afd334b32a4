import { thing } from './machine.ts';

export const name = thing.name;
