import { subsystems } from '../subsystems.ts';

export const name = subsystems[0].name;
