import type { EntityFilterContext } from '../entity-filter/events.ts';
import type { HistoryContext } from '../history/events.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import type { ProfileCatalogContext } from '#machines/profile-catalog/events.ts';
import type { PublisherContext } from '../publisher/events.ts';
import { exposableSettings, plainSettings } from '../settings.ts';
import type { SettingsContext } from '../settings/events.ts';
import type { ResetContext, ResetScope } from './events.ts';
import type { ResetCounts, ResetDocument } from './document.ts';
import { phaseOf } from './phase.ts';
import { isReset } from './scope.ts';

/** Input of the preview; a part that restarts is undefined and counts as empty. */
export interface ResetView {
  readonly reset: SnapshotView<ResetContext>;
  readonly settings: SettingsContext | undefined;
  readonly publisher: PublisherContext | undefined;
  readonly profiles: ProfileCatalogContext | undefined;
  readonly filter: EntityFilterContext | undefined;
  readonly history: HistoryContext | undefined;
  /** True if the broker is connected. */
  readonly connected: boolean;
}

/** Keys of settings that differ from their defaults, and of set credentials. */
const changedKeys = ({ values, secrets }: SettingsContext): readonly string[] => [
  ...plainSettings.filter((row) => values[row.key] !== (row.defaultValue ?? '')).map(({ key }) => key),
  ...Object.keys(secrets).filter((key) => secrets[key] === true),
];

/** Number of rows whose `ha_expose` flag is not the default. */
const exposedOtherwise = ({ expose }: SettingsContext): number =>
  exposableSettings.filter((row) => (expose[row.key] ?? row.exposedByDefault) !== row.exposedByDefault).length;

/** Counts of what one reset would remove. */
export function countsOf(scope: ResetScope, view: Omit<ResetView, 'reset'>): ResetCounts {
  const { settings, profiles, filter, history } = view;
  const all = scope === 'everything';
  return {
    settings:
      settings === undefined
        ? 0
        : changedKeys(settings).filter((key) => isReset(scope, key)).length +
          (scope === 'connection' ? 0 : exposedOtherwise(settings)),
    dashboards: scope === 'settings' ? 0 : (filter?.dashboards.length ?? 0),
    profiles: all ? (profiles?.catalog?.profiles.filter(({ origin }) => origin === 'local').length ?? 0) : 0,
    happenings: all ? (history?.entries.length ?? 0) : 0,
  };
}

/** What can be reset, and the reset under way. */
export function previewReset(view: ResetView): ResetDocument {
  const { value, context } = view.reset;
  return {
    phase: phaseOf(value),
    scope: context.scope,
    trial: context.trial,
    broker: view.connected ? 'connected' : 'away',
    entities: view.publisher?.announced.length ?? 0,
    comes_back: [...context.comesBack],
    choices: {
      connection: countsOf('connection', view),
      settings: countsOf('settings', view),
      everything: countsOf('everything', view),
    },
    last:
      context.last === null
        ? null
        : {
            scope: context.last.scope,
            at: context.last.at,
            finished: context.last.state === 'done',
            failure: context.last.state === 'done' ? null : context.failure,
            left_behind: context.last.leftBehind,
          },
  };
}
