import type { DrawnPart } from './sections.ts';
import { StateMark } from './state-mark.tsx';

/** Every part of the shell that follows the status; most pages have no others. */
export const shellParts = {
  name: {
    reads: ['panel'],
    draw: ({ status: { panel } }) => <span class="header-words">{panel.name}</span>,
  } satisfies DrawnPart<['panel']>,
  state: { reads: ['state'], draw: ({ status }) => <StateMark state={status.state} /> } satisfies DrawnPart<['state']>,
} as const;
