import { actors } from '../actors.ts';

export const name = actors[0];
