import { judgeCapabilities } from '#machines/capabilities.ts';
import { forRootShell } from '#machines/kit/root-shell.ts';
import { capabilityRow, parkedParts } from '#machines/kit/status.ts';
import { descriptorOf } from '#machines/settings.ts';
import { projectStatus, projectWarnings, type StatusDocument, updateNotice } from '#machines/status.ts';
import { type JudgedCapability, summarise } from '#machines/status/summary.ts';
import type { ProjectionInput } from '#machines/subsystem.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { happeningWords } from '#ui/strings/happened.ts';
import { aboutOf, type HistoryAbout, type HistoryRow } from '#ui/parts/history-days.ts';

/** Entries of the history in the status document. */
const shownEntries = 5;

/** Entries of the history as sentences, the newest first: of everything, or of what somebody asks about. */
export const readHistory = (
  { registry }: RouteDeps,
  about: HistoryAbout | null,
  from: number,
  count: number,
): readonly HistoryRow[] =>
  (registry.read('history')?.context.entries ?? [])
    .filter(({ kind }) => about === null || aboutOf(kind) === about)
    .toReversed()
    .slice(from, from + count)
    .map((entry) => ({
      at: entry.at,
      kind: entry.kind,
      sentence: happeningWords(entry, (key) => descriptorOf(key)?.label),
      times: entry.times,
    }));

/** What the projections of the subsystems are made from, now. */
export const projectionInput = ({
  registry,
  now,
  elapsed,
  startedAt,
  version,
  build,
  tree,
}: RouteDeps): ProjectionInput => ({
  read: (id) => registry.read(id)?.context,
  view: registry.read,
  now: now(),
  elapsed: elapsed(),
  startedAt,
  version,
  build,
  tree: tree(),
});

/** The verdicts on what this panel can do, in the order in which pages show them. */
export const readCapabilities = ({ registry, rootShell }: RouteDeps): readonly JudgedCapability[] => {
  const rows = judgeCapabilities(registry.read, registry.ids(), registry.read('profile')?.context.absent ?? []);
  return rootShell ? rows.map(forRootShell) : rows;
};

/** The status document, read from the actors' snapshots as they are at this moment. */
export const readStatus = (deps: RouteDeps): StatusDocument => {
  const input = projectionInput(deps);
  const capabilities = readCapabilities(deps);
  const fields = projectStatus(input);
  return {
    ...summarise({
      simulated: fields.panel.profile.simulated,
      capabilities,
      connected: fields.mqtt?.phase === 'connected' && fields.platform?.phase === 'live',
      announced: fields.platform?.announced.length ?? 0,
      home: fields.home_presence,
      parked: parkedParts(input.tree),
      loss: fields.configuration.loss,
    }),
    inspecting: deps.inspection !== null,
    warnings: projectWarnings(input),
    capabilities: capabilities.map(({ urgency: _urgency, page: _page, headline: _headline, ...row }) =>
      capabilityRow(row),
    ),
    ...fields,
    ...updateNotice,
    happened: readHistory(deps, null, 0, shownEntries).map(({ at, sentence, times }) => ({ at, sentence, times })),
    supervision: input.tree,
    taken_at: input.now,
  };
};
