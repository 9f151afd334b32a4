import { tOr } from './t.ts';

/** A part of the engine, or a group of them, as people call it; its id where this version does not know it. */
export const partName = (id: string): string => tOr(`part.${id}`, id);
