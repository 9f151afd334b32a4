import { thing } from '../target/thing.ts';

export const name = thing.name;
