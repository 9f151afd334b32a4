import type { Actors } from '../actors.ts';
import { thing } from '../kit/thing.ts';
import { subsystem } from '../subsystem.ts';
import type { Thing } from './events.ts';
import { judge } from './verdict.ts';

export const manifest = subsystem({ name: judge(thing) });
export const named = (actors: Actors): readonly string[] => Object.keys(actors);
export const own = ({ name }: Thing): string => name;
