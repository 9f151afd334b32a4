import type { TreeNode } from '#machines/kit/status.ts';
import type { StatusDocument } from '#machines/status.ts';
import type { IconName } from '../icons.ts';
import { t, tOr } from '../strings/t.ts';
import { Icon } from './icon.tsx';

type DownPhase = Exclude<TreeNode['phase'], 'running'>;
type DownNode = TreeNode & { readonly phase: DownPhase };

/** Whether a part does not run. */
export const isDown = (node: TreeNode): node is DownNode => node.phase !== 'running';

const shapes: Readonly<Record<DownPhase, IconName>> = {
  waiting: 'progress-clock',
  stopping: 'circle-outline',
  stopped: 'circle-outline',
  parked: 'alert',
  restarting: 'progress-clock',
};

/** Every worker under `node`, itself included when it is one. */
export const workersOf = (node: TreeNode): readonly TreeNode[] =>
  node.kind === 'worker' ? [node] : node.children.flatMap(workersOf);

/** What a part is for; nothing where its name says it. */
const wordsOf = ({ id }: TreeNode): string => tOr(`part.${id}`, '');

const Count = ({ restarts }: { readonly restarts: number }) =>
  restarts === 0 ? null : <span class="hint">{t('tree.restarts', { count: restarts })}</span>;

/** A part that does not run: how it is instead, and why it failed last. */
export const DownPart = ({ node }: { readonly node: DownNode }) => (
  <li class={`part part-down part-${node.phase}`}>
    <Icon name={shapes[node.phase]} size={18} />
    <span class="part-name">{node.id}</span>
    <span class="hint">{t(`tree.phase.${node.phase}`)}</span>
    <Count restarts={node.restarts} />
    {node.reason === null ? null : <span class="hint part-reason">{t('tree.reason', { reason: node.reason })}</span>}
  </li>
);

const Worker = ({ node }: { readonly node: TreeNode }) =>
  isDown(node) ? (
    <DownPart node={node} />
  ) : (
    <li class="part">
      <span class="part-name">
        {node.id}
        <span class="hint">{wordsOf(node)}</span>
      </span>
      <Count restarts={node.restarts} />
    </li>
  );

const Group = ({ node }: { readonly node: TreeNode }) => (
  <li class="part-group">
    <span class="part-group-name">{node.id}</span>
    <p class="hint">{wordsOf(node)}</p>
    <Nodes nodes={node.children} />
  </li>
);

const Nodes = ({ nodes }: { readonly nodes: readonly TreeNode[] }) => (
  <ul>
    {nodes.map((node) =>
      node.kind === 'worker' ? <Worker key={node.id} node={node} /> : <Group key={node.id} node={node} />,
    )}
  </ul>
);

/** The supervision tree at a glance: every part with its phase, its restarts and why it failed last. */
export const Tree = ({ root }: { readonly root: TreeNode }) => {
  const workers = workersOf(root);
  const down = workers.filter(isDown).length;
  const restarts = workers.reduce((sum, worker) => sum + worker.restarts, 0);
  return (
    <div class="tree">
      <p class={down === 0 ? 'hint' : 'hint warn'}>
        {down === 0 ? t('part.all', { count: workers.length }) : t('part.some', { count: down, total: workers.length })}
        {restarts === 0 ? '' : `, ${t('tree.restarts', { count: restarts })}`}
      </p>
      <div class="tree-groups">
        <Nodes nodes={root.children} />
      </div>
    </div>
  );
};

/** What of the page of the parts follows the status. */
export const treeParts = {
  tree: (status: StatusDocument) => <Tree root={status.supervision} />,
} as const;
