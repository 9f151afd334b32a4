import { notHere, type Objection } from '../kit/objection.ts';
import { type ShownRenderer, takesCommands } from './phase.ts';
import { judgeRenderer } from './verdict.ts';

/** Why the dashboard takes no commands now; null if it does. */
export const objectionOfRenderer = (shown: ShownRenderer): Objection | null =>
  takesCommands(shown) ? null : notHere(judgeRenderer(shown).detail);
