import { pairs } from '../kit/diag.ts';
import { type NoActor, subsystem, textLines } from '../subsystem.ts';
import { systemSettings } from './settings.ts';

/** What concerns the agent as a whole. */
export const system = subsystem<NoActor>()({
  ids: [],
  group: null,
  settings: { order: 120, object: systemSettings },
  diag: [textLines({ order: 13, reads: [], lines: () => [pairs({ security_mode: 'relaxed' })] })],
});
