import type { TreeNode } from '#machines/status/document.ts';
import type { IconName } from '../icons.ts';
import { t } from '../strings/t.ts';
import { Icon } from './icon.tsx';

const shapes: Readonly<Record<Exclude<TreeNode['phase'], 'running'>, IconName>> = {
  waiting: 'clock-outline',
  stopping: 'circle-outline',
  stopped: 'circle-outline',
  parked: 'pause-circle-outline',
  restarting: 'autorenew',
};

/** Every worker under `node`, itself included when it is one. */
export const workersOf = (node: TreeNode): readonly TreeNode[] => (node.kind === 'worker' ? [node] : node.children.flatMap(workersOf));

const Worker = ({ node }: { readonly node: TreeNode }) => (
  <li class={`part part-${node.phase}`}>
    {/* A running part has a drawn tick and no word of its own: the sentence above counts them, and there are many. */}
    {node.phase === 'running' ? null : <Icon name={node.phase === 'parked' ? 'alert' : shapes[node.phase]} size={18} />}
    <span class="part-name">{node.id}</span>
    {node.phase === 'running' ? null : <span class="part-word">{t(`tree.phase.${node.phase}`)}</span>}
    {node.restarts === 0 ? null : <span class="part-count">{t('tree.restarts', { count: node.restarts })}</span>}
    {node.reason === null || node.phase === 'running' ? null : <span class="part-reason">{t('tree.reason', { reason: node.reason })}</span>}
  </li>
);

const Group = ({ node }: { readonly node: TreeNode }) => (
  <li class="part-group">
    <span class="part-group-name">{node.id}</span>
    <ul>{node.children.map((child) => (child.kind === 'worker' ? <Worker key={child.id} node={child} /> : <Group key={child.id} node={child} />))}</ul>
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
      <ul class="tree-groups">{root.children.map((child) => (child.kind === 'worker' ? <Worker key={child.id} node={child} /> : <Group key={child.id} node={child} />))}</ul>
    </div>
  );
};
