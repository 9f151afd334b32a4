import { rowsOf, STATE_LENGTH, telling } from '../kit/entity.ts';
import { refuse } from '../kit/result.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import type { RendererActor } from './events.ts';
import { objectionOfRenderer } from './objection.ts';
import { phaseOf, shownRenderer, takesCommands } from './phase.ts';

type View = SnapshotView<RendererActor['context']>;

const isAvailable = (snapshot: View): boolean => takesCommands({ phase: phaseOf(snapshot) });

const objection = (snapshot: View) => objectionOfRenderer(shownRenderer(snapshot));

const outcome = ({ context }: View) => context.lastNavigation;

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
    protects: null,
    objection,
    write: (path, origin) => {
      if (path.trim() === '') return refuse('bad-path', 'The path is empty.');
      return telling<RendererActor>({ type: 'renderer.navigate', path, origin });
    },
    outcome,
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
    protects: 'DASHBOARD_RELOAD',
    objection,
    write: (origin) => telling<RendererActor>({ type: 'renderer.reload', origin }),
    outcome,
  },
]);
