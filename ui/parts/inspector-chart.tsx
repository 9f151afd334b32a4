import type { ChartEdge, ChartNode, MachineFacts } from '#machines/status/inspection.ts';
import { t } from '../strings/t.ts';

const isNested = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The part of `value` inside the child state `name`; undefined if that state is not active. */
function valueIn(value: unknown, name: string): unknown {
  if (value === name) return '';
  return isNested(value) && Object.prototype.hasOwnProperty.call(value, name) ? value[name] : undefined;
}

/** A state in words: nested names from the outside in. */
export function spoken(value: unknown): string {
  if (!isNested(value)) return typeof value === 'string' ? value : '';
  return Object.entries(value)
    .map(([name, inner]) => [name, spoken(inner)].filter((word) => word !== '').join(' › '))
    .join(', ');
}

const pathOf = (id: string, root: string): string =>
  id === root
    ? t('inspector.whole')
    : id.startsWith(`${root}.`)
      ? id
          .slice(root.length + 1)
          .split('.')
          .join(' › ')
      : id;

const labelOf = ({ kind, label }: ChartEdge): string =>
  kind === 'event' ? label : t(`inspector.edge.${kind}`, { label });

const Edge = ({ edge, root }: { readonly edge: ChartEdge; readonly root: string }) => (
  <li class="way">
    <span class={edge.kind === 'event' ? 'way-event' : 'way-event way-made'}>{labelOf(edge)}</span>
    {edge.guard === null ? null : <span class="way-guard">{t('inspector.guard', { guard: edge.guard })}</span>}
    <span class="way-target">
      {edge.targets.length === 0
        ? t('inspector.stays')
        : edge.targets.map((target) => t('inspector.to', { target: pathOf(target, root) })).join(' ')}
    </span>
  </li>
);

interface BoxProps {
  readonly node: ChartNode;
  /** The machine's value inside this state; undefined if the state is not active. */
  readonly value: unknown;
  readonly root: string;
  /** True if transitions of inactive states are shown too. */
  readonly all: boolean;
}

function Box({ node, value, root, all }: BoxProps) {
  const active = value !== undefined;
  return (
    <li class={`box box-${node.kind}${active ? ' is-lit' : ''}`}>
      <p class="box-head">
        <span class="box-name">{node.name}</span>
        {active ? <span class="box-word">{t('inspector.active')}</span> : null}
        {node.initial ? <span class="box-mark">{t('inspector.first')}</span> : null}
        {node.kind === 'final' ? <span class="box-mark">{t('inspector.final')}</span> : null}
        {node.kind === 'parallel' ? <span class="box-mark">{t('inspector.parallel')}</span> : null}
      </p>
      {node.runs.length === 0 ? null : <p class="box-runs">{t('inspector.runs', { names: node.runs.join(', ') })}</p>}
      {node.edges.length === 0 ? null : active || all ? (
        <ul class="ways">
          {node.edges.map((edge) => (
            <Edge edge={edge} root={root} />
          ))}
        </ul>
      ) : (
        <p class="box-runs">{t('inspector.ways', { count: node.edges.length })}</p>
      )}
      {node.states.length === 0 ? null : <Boxes nodes={node.states} value={value} root={root} all={all} />}
    </li>
  );
}

const Boxes = ({
  nodes,
  value,
  root,
  all,
}: {
  readonly nodes: readonly ChartNode[];
  readonly value: unknown;
  readonly root: string;
  readonly all: boolean;
}) => (
  <ul class="boxes">
    {nodes.map((node) => (
      <Box key={node.id} node={node} value={valueIn(value, node.name)} root={root} all={all} />
    ))}
  </ul>
);

/** The states of one part as nested boxes, the active ones highlighted. */
export function InspectorChart({ machine, all }: { readonly machine: MachineFacts; readonly all: boolean }) {
  const { id, value, chart, cut } = machine;
  return (
    <div class="chart">
      <p class="chart-now">
        {value === null ? t('inspector.absent') : t('inspector.now')} <strong>{spoken(value)}</strong>
      </p>
      {chart === null ? (
        <p class="hint">{t('inspector.no_chart')}</p>
      ) : (
        <Boxes nodes={chart.states} value={value ?? undefined} root={chart.id} all={all} />
      )}
      {chart === null || (chart.edges.length === 0 && chart.runs.length === 0) ? null : (
        <div class="chart-anywhere">
          <h3>{t('inspector.anywhere')}</h3>
          {chart.runs.length === 0 ? null : (
            <p class="box-runs">{t('inspector.runs', { names: chart.runs.join(', ') })}</p>
          )}
          <ul class="ways">
            {chart.edges.map((edge) => (
              <Edge edge={edge} root={chart.id} />
            ))}
          </ul>
        </div>
      )}
      {cut ? <p class="hint">{t('inspector.cut', { part: id })}</p> : null}
    </div>
  );
}
