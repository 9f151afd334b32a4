import type { TreeNode } from '#machines/kit/status.ts';
import type { EventRecord, MachineFacts } from '#machines/status/inspection.ts';
import { partName } from '../strings/part-name.ts';
import { t } from '../strings/t.ts';
import { spoken } from './inspector-chart.tsx';

interface PartsProps {
  readonly tree: TreeNode;
  readonly machines: readonly MachineFacts[];
  readonly chosen: string;
  /** Parts with a very recent event. */
  readonly stirred: ReadonlySet<string>;
}

function Part({ node, machines, chosen, stirred }: Omit<PartsProps, 'tree'> & { readonly node: TreeNode }) {
  const machine = machines.find(({ id }) => id === node.id);
  const state = node.phase === 'running' ? spoken(machine?.value) : t(`tree.phase.${node.off ? 'off' : node.phase}`);
  return (
    <li>
      <a
        class={`inspect-part${stirred.has(node.id) ? ' is-stirred' : ''}${node.phase === 'running' ? '' : ' is-down'}`}
        href={`/inspector?part=${encodeURIComponent(node.id)}`}
        data-part={node.id}
        {...(node.id === chosen ? { 'aria-current': 'true' } : {})}
      >
        <span class="inspect-name">{node.id}</span>
        <span class="inspect-state">{state}</span>
      </a>
    </li>
  );
}

const Group = ({ node, ...rest }: Omit<PartsProps, 'tree'> & { readonly node: TreeNode }) => (
  <li class="inspect-group">
    <span class="inspect-group-name">{partName(node.id)}</span>
    <ul>
      {node.children.map((child) =>
        child.kind === 'worker' ? (
          <Part key={child.id} node={child} {...rest} />
        ) : (
          <Group key={child.id} node={child} {...rest} />
        ),
      )}
    </ul>
  </li>
);

/** The supervision tree with the state of each part; links choose a part. */
export const InspectorParts = ({ tree, ...rest }: PartsProps) => (
  <ul class="inspect-tree">
    {tree.children.map((child) =>
      child.kind === 'worker' ? (
        <Part key={child.id} node={child} {...rest} />
      ) : (
        <Group key={child.id} node={child} {...rest} />
      ),
    )}
  </ul>
);

/** A record, and whether it changed its actor's state. */
export interface LogRow {
  readonly record: EventRecord;
  readonly changed: boolean;
}

/** The library's own events, by what follows the prefix of their names. */
const made: readonly (readonly [RegExp, 'after' | 'done' | 'error'])[] = [
  [/^xstate\.after\.([^.]+)\./, 'after'],
  [/^xstate\.done\.(?:actor|state)\.(.+)$/, 'done'],
  [/^xstate\.error\.actor\.(.+)$/, 'error'],
];

/** An event by its name, or in words if it is one of the library's own. */
function eventWords(event: string): string {
  if (event === 'xstate.init') return t('inspector.starts');
  for (const [pattern, kind] of made) {
    const label = pattern.exec(event)?.[1];
    if (label !== undefined) return t(`inspector.edge.${kind}`, { label });
  }
  return event;
}

const two = (value: number, width = 2): string => String(value).padStart(width, '0');

/** The time of day to the millisecond: an agent has many events per second. */
function clockTime(at: number): string {
  const date = new Date(at);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => two(part));
  return `${parts.join(':')}.${two(date.getMilliseconds(), 3)}`;
}

/** One event of the log. */
export const InspectorEvent = ({ row: { record, changed } }: { readonly row: LogRow }) => (
  <li class={changed ? 'event is-change' : 'event'}>
    <span class="event-line">
      <span class="event-actor">{record.of === null ? record.actor : `${record.of} › ${record.actor}`}</span>
      <time class="event-time">{clockTime(record.at)}</time>
    </span>
    <span class={record.event.startsWith('xstate.') ? 'event-name way-made' : 'event-name'}>
      {eventWords(record.event)}
    </span>
    {changed ? <span class="event-state">{t('inspector.to', { target: spoken(record.value) })}</span> : null}
  </li>
);
