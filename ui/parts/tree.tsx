import type { TreeNode } from '#machines/kit/status.ts';
import type { IconName } from '../icons.ts';
import { t } from '../strings/t.ts';
import type { TitledCard } from './card.ts';
import { Icon } from './icon.tsx';

const shapes: Readonly<Record<Exclude<TreeNode['phase'], 'running'>, IconName>> = {
  waiting: 'clock-outline',
  stopping: 'circle-outline',
  stopped: 'circle-outline',
  parked: 'alert',
  restarting: 'autorenew',
};

/** Every worker under `node`, itself included when it is one. */
export const workersOf = (node: TreeNode): readonly TreeNode[] =>
  node.kind === 'worker' ? [node] : node.children.flatMap(workersOf);

const Count = ({ restarts }: { readonly restarts: number }) =>
  restarts === 0 ? null : <span class="part-count">{t('tree.restarts', { count: restarts })}</span>;

/**
 * A running part has a drawn tick, no word and hardly any markup of its own: the sentence above counts them, and there
 * are many.
 */
const Running = ({ node }: { readonly node: TreeNode }) => (
  <li class="part">
    {node.id}
    <Count restarts={node.restarts} />
  </li>
);

const Down = ({ node, phase }: { readonly node: TreeNode; readonly phase: Exclude<TreeNode['phase'], 'running'> }) => (
  <li class={`part part-down part-${phase}`}>
    <Icon name={shapes[phase]} size={18} />
    <span class="part-name">{node.id}</span>
    <span class="part-word">{t(`tree.phase.${phase}`)}</span>
    <Count restarts={node.restarts} />
    {node.reason === null ? null : <span class="part-reason">{t('tree.reason', { reason: node.reason })}</span>}
  </li>
);

const Worker = ({ node }: { readonly node: TreeNode }) =>
  node.phase === 'running' ? <Running node={node} /> : <Down node={node} phase={node.phase} />;

const Group = ({ node }: { readonly node: TreeNode }) => (
  <li class="part-group">
    <span class="part-group-name">{node.id}</span>
    <ul>
      {node.children.map((child) =>
        child.kind === 'worker' ? <Worker key={child.id} node={child} /> : <Group key={child.id} node={child} />,
      )}
    </ul>
  </li>
);

/** The supervision tree at a glance: every part with its phase, its restarts and why it failed last. */
export const Tree = ({ root }: { readonly root: TreeNode }) => {
  const workers = workersOf(root);
  const down = workers.filter((worker) => worker.phase !== 'running').length;
  const restarts = workers.reduce((sum, worker) => sum + worker.restarts, 0);
  return (
    <div class="tree">
      <p class={down === 0 ? 'hint' : 'hint warn'}>
        {down === 0 ? t('tree.all', { count: workers.length }) : t('tree.some', { count: down, total: workers.length })}
        {restarts === 0 ? '' : `, ${t('tree.restarts', { count: restarts })}`}
      </p>
      <ul class="tree-groups">
        {root.children.map((child) =>
          child.kind === 'worker' ? <Worker key={child.id} node={child} /> : <Group key={child.id} node={child} />,
        )}
      </ul>
    </div>
  );
};

/** The card of the parts of the engine. */
export const treeCard = {
  name: 'tree',
  title: 'tree.title',
  help: 'tree.help',
  columns: 3,
  strings: [],
  draw: ({ status }) => <Tree root={status.supervision} />,
} as const satisfies TitledCard;
