import { thing } from '../target/events.ts';

export const name = thing.name;
