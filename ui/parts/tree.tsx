import type { TreeNode } from '#machines/kit/status.ts';
import { partName } from '../strings/part-name.ts';
import { t } from '../strings/t.ts';
import type { DrawnPart } from './sections.ts';
import { StateMark, type StateWord } from './state-mark.tsx';

type DownPhase = Exclude<TreeNode['phase'], 'running'>;
type DownNode = TreeNode & { readonly phase: DownPhase };

/** True if a part is not running. */
const isIdle = (node: TreeNode): node is DownNode => node.phase !== 'running';

/** True if a part should run: the settings do not turn it off. */
const isWanted = (node: TreeNode): boolean => !node.off;

/** How many of the parts under a node should run, and how many of these do not. */
export function countParts(node: TreeNode): { readonly total: number; readonly down: number } {
  const wanted = workersOf(node).filter(isWanted);
  return { total: wanted.length, down: wanted.filter(isIdle).length };
}

/** Every worker under `node`, itself included when it is one. */
const workersOf = (node: TreeNode): readonly TreeNode[] =>
  node.kind === 'worker' ? [node] : node.children.flatMap(workersOf);

/** A part that restarts automatically is off; one that gave up needs a person. */
const wordOf = (phase: TreeNode['phase']): StateWord =>
  phase === 'running' ? 'working' : phase === 'parked' ? 'needs_you' : 'off';

const Count = ({ restarts }: { readonly restarts: number }) =>
  restarts === 0 ? null : <span class="hint">{t('tree.restarts', { count: restarts })}</span>;

const Named = ({ id }: { readonly id: string }) => (
  <span class="part-name">
    {partName(id)} <code>{id}</code>
  </span>
);

/** A part that does not run: its state, and its last failure. */
const DownPart = ({ node }: { readonly node: DownNode }) => (
  <li class="part part-down">
    <Named id={node.id} />
    <Count restarts={node.restarts} />
    <StateMark state={wordOf(node.phase)} size={18} />
    <span class="hint part-reason">
      {t(`tree.help.${node.off ? 'off' : node.phase}`)}
      {node.reason === null ? null : ` (${t('tree.reason', { reason: node.reason })})`}
    </span>
  </li>
);

const Part = ({ node }: { readonly node: TreeNode }) =>
  isIdle(node) ? (
    <DownPart node={node} />
  ) : (
    <li class="part">
      <Named id={node.id} />
      <Count restarts={node.restarts} />
      <StateMark state="working" size={18} />
    </li>
  );

/** The parts of each group that are not groups; a nested group follows its parent. */
const groupsOf = ({
  id,
  children,
}: TreeNode): readonly { readonly id: string; readonly parts: readonly TreeNode[] }[] => [
  { id, parts: children.filter(({ kind }) => kind === 'worker') },
  ...children.filter(({ kind }) => kind === 'group').flatMap(groupsOf),
];

function Group({ id, parts }: { readonly id: string; readonly parts: readonly TreeNode[] }) {
  const words = parts.filter(isWanted).map(({ phase }) => wordOf(phase));
  const worst = (['needs_you', 'off'] as const).find((word) => words.includes(word)) ?? 'working';
  return (
    <details class="fold part-group" id={`parts-${id}`} open={worst !== 'working'}>
      <summary>
        <h3 class="fold-title">
          {partName(id)} <span class="hint">{t('part.count', { count: parts.length })}</span>
        </h3>
        <StateMark state={worst} />
      </summary>
      <ul>
        {parts.map((node) => (
          <Part key={node.id} node={node} />
        ))}
      </ul>
    </details>
  );
}

/** The supervision tree at a glance: its groups, each opening to its parts with their state and restarts. */
function Tree({ root }: { readonly root: TreeNode }) {
  const workers = workersOf(root);
  const { total, down } = countParts(root);
  const restarts = workers.reduce((sum, worker) => sum + worker.restarts, 0);
  return (
    <div>
      <p class={down === 0 ? 'hint' : 'hint warn'}>
        {down === 0 ? t('part.all', { count: total }) : t('part.some', { count: down, total })}
        {restarts === 0 ? '' : `, ${t('tree.restarts', { count: restarts })}`}
      </p>
      <div class="tree-groups">
        {groupsOf(root).flatMap(({ id, parts }) =>
          parts.length === 0 ? [] : [<Group key={id} id={id} parts={parts} />],
        )}
      </div>
    </div>
  );
}

/** The parts of the page `/parts` that follow the status. */
export const treeParts = {
  tree: {
    reads: ['supervision'],
    draw: ({ status }) => <Tree root={status.supervision} />,
  } satisfies DrawnPart<['supervision']>,
} as const;
