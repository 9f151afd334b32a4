import { settings } from '../settings.ts';

export const name = settings[0];
