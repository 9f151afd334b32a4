import { pairs } from '../kit/diag.ts';
import { type NoActor, subsystem, textLines } from '../subsystem.ts';
import { systemSettings } from './settings.ts';

/** What concerns the agent as a whole. */
export const system = subsystem<NoActor>()({
  ids: [],
  group: null,
  settings: { place: 120, object: systemSettings },
  diag: [textLines({ place: 13, reads: [], lines: () => [pairs({ security_mode: 'relaxed' })] })],
});
