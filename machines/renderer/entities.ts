import { type CommandOutcome, type CommandRefused, rowsOf, STATE_LENGTH, telling } from '../kit/entity.ts';
import { refuse } from '../kit/result.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import type { RendererActor } from './events.ts';
import { answerOf } from './navigation.ts';
import { phaseOf, takesCommands } from './phase.ts';

const origin = 'home-assistant';

type View = SnapshotView<RendererActor['context']>;

const isAvailable = (snapshot: View): boolean => takesCommands({ phase: phaseOf(snapshot) });

/** Why the renderer refused a command at once; null if it did not. */
function refusedAtOnce(before: View | undefined, after: View | undefined): CommandRefused | null {
  if (before === undefined) return null;
  const answer = answerOf(before.context, after?.context);
  return answer.ok ? null : { reason: after?.context.lastNavigation?.refusal ?? 'not-shown', message: answer.message };
}

/** How the page that Home Assistant asked for opened; null while another command is the last one. */
function opened({ context: { lastNavigation: last } }: View): CommandOutcome | null {
  if (last === null || last.origin !== origin) return null;
  // A refusal was answered at once; a page that is kept or was superseded has no outcome of its own.
  if (last.outcome === 'refused' || last.outcome === 'kept' || last.outcome === 'dropped') return null;
  const reason = last.outcome === 'elsewhere' ? 'elsewhere' : 'not-opened';
  return {
    at: last.at,
    refused: last.outcome === 'shown' ? null : { reason, message: last.message ?? 'The page did not open.' },
  };
}

/** The dashboard's entities: navigate and reload. */
export const rows = rowsOf<RendererActor>([
  {
    entityKind: 'text',
    key: 'navigate',
    name: 'Navigate',
    icon: 'mdi:compass-outline',
    maxLength: STATE_LENGTH,
    actor: 'renderer',
    capability: 'dashboard',
    available: isAvailable,
    read: (snapshot) => {
      const { path } = snapshot.context;
      // A truncated path would name another page.
      return phaseOf(snapshot) === 'showing' && path !== null && path.length <= STATE_LENGTH ? path : '';
    },
    write: (path) => {
      if (path.trim() === '') return refuse('bad-path', 'The path is empty.');
      return telling<RendererActor>({ type: 'renderer.navigate', path, origin }, refusedAtOnce);
    },
    outcome: opened,
  },
  {
    entityKind: 'button',
    key: 'reload',
    name: 'Reload dashboard',
    icon: 'mdi:refresh',
    category: 'config',
    actor: 'renderer',
    capability: 'dashboard',
    available: isAvailable,
    write: () => telling<RendererActor>({ type: 'renderer.reload', origin }, refusedAtOnce),
  },
]);
