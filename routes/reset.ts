import { z } from 'zod';
import { once } from '#machines/kit/once.ts';
import { refuse } from '#machines/kit/result.ts';
import { phaseOf as linkPhase } from '#machines/mqtt/phase.ts';
import { ResetCounts, ResetDocument, ResetScopeName } from '#machines/reset/document.ts';
import type { LeftReason } from '#machines/reset/events.ts';
import { countsOf, previewReset, type ResetView } from '#machines/reset/preview.ts';
import { whyUnresettable } from '#machines/reset/phase.ts';
import { UNDECIDED } from '#machines/store/loss.ts';
import { json } from '#routes/kit/answer.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { besideOperation, whyBusy } from '#routes/kit/operation-busy.ts';
import { type Refusal, restarting } from '#routes/kit/problem.ts';
import { requestedFrom } from '#routes/kit/requested-from.ts';
import { unlessStopping } from '#routes/kit/stopping.ts';

const path = '/api/v1/setup/reset';

/**
 * Longest wait for a reset to be recorded, in milliseconds: 20 s for saves before it, 6 s to withdraw, twice 6 to
 * write, 3 to sign out.
 */
const resetMs = 42_000;

const Body = once(() =>
  z
    .strictObject({
      scope: ResetScopeName(),
      confirm: z.literal(true).meta({ description: 'Required: nothing is reset without it.' }),
      without_broker: z
        .boolean()
        .optional()
        .meta({ description: 'Even if entities stay behind in Home Assistant, since the broker is unreachable.' }),
    })
    .meta({ id: 'ResetOrder', description: 'Which reset, and the confirmation.' }),
);

const Ordered = once(() =>
  z
    .object({
      ok: z.literal(true).meta({ description: 'It is durably recorded.' }),
      status: z.literal('restarting').meta({ description: 'The agent restarts now and carries it out.' }),
      scope: ResetScopeName(),
      entities: z.int().min(0).meta({ description: 'Entities that were removed from Home Assistant.' }),
      left_behind: z.array(z.string()).meta({ description: 'Discovery topics that could not be emptied.' }),
      removed: ResetCounts(),
    })
    .meta({ id: 'ResetOrdered', description: 'What a reset removes.' }),
);

const Cancelled = once(() =>
  z
    .object({ ok: z.literal(true).meta({ description: 'No start will carry it out.' }) })
    .meta({ id: 'ResetCancelled', description: 'A reset was cancelled.' }),
);

/** Why the entities could not be removed, and what helps. */
const leftWords: Readonly<Record<LeftReason, string>> = {
  away: 'The broker is not connected: connect it and try again.',
  busy: 'The panel is only just connecting to the broker: try again in a few seconds.',
  silent: 'The broker did not acknowledge their removal within 5 s: try again.',
  absent: 'The part that removes them is being restarted: try again in a few seconds.',
};

const topicsWords = (topics: readonly string[]): string =>
  topics.length === 0
    ? 'What would stay behind is unknown.'
    : `These retained topics of the broker would stay: ${topics.join(', ')}.`;

/** What a preview is made from; undefined while the part restarts. */
function viewOf({ registry }: RouteDeps): ResetView | undefined {
  const reset = registry.read('reset');
  const link = registry.read('mqtt');
  return (
    reset && {
      reset,
      settings: registry.read('settings')?.context,
      publisher: registry.read('publisher')?.context,
      profiles: registry.read('profile-catalog')?.context,
      filter: registry.read('entity-filter')?.context,
      history: registry.read('history')?.context,
      connected: link !== undefined && linkPhase(link) === 'connected',
    }
  );
}

/** What there is to reset, for the route and its page; undefined while the part restarts. */
export function readReset(deps: RouteDeps): ResetDocument | undefined {
  const view = viewOf(deps);
  return view && previewReset(view);
}

type Refused = 'reset-during-trial' | 'reset-running' | 'restarting';

/** A reset that its part refuses, in words. */
function refusedReset(reason: 'trial' | 'running' | 'unread'): Refusal<Refused> {
  switch (reason) {
    case 'unread':
      return restarting('reset');
    case 'trial':
      return refuse(
        'reset-during-trial',
        'Nothing was reset: a profile is being tried. Wait until it is kept or rolled back, at most a minute.',
      );
    case 'running':
      return refuse('reset-running', 'A reset is already in progress. Wait until it is over.');
  }
}

/** Why no reset can begin now; null if one can. */
function whyNot(deps: RouteDeps): Refusal<Refused | 'operation-busy'> | null {
  const snapshot = deps.registry.read('reset');
  const reason = snapshot === undefined ? 'unread' : whyUnresettable(snapshot);
  return reason === null ? whyBusy(deps, 'reset') : refusedReset(reason);
}

const nothingRemoved: ResetCounts = { settings: 0, dashboards: 0, profiles: 0, happenings: 0 };

/** Longest wait for an order to be cancelled, in milliseconds: 20 s for saves before it, twice 6 s to write. */
const cancelMs = 34_000;

interface SentReset {
  readonly body: z.output<ReturnType<typeof Body>>;
}

/** Resets the panel, in three scopes. */
export const resetRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getReset',
      method: 'get',
      path,
      tag: 'configuration',
      summary: 'What each reset would remove',
      description: 'Counts, never names; and the state of a reset.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({
        200: json('What there is to reset.', ResetDocument()),
      }),
      problems: ['restarting'],
    },
    ({ answer }) => {
      const document = readReset(deps);
      return document === undefined ? restarting('reset') : answer(200, document);
    },
  );
  declare(
    {
      operationId: 'resetPanel',
      method: 'post',
      path,
      tag: 'configuration',
      summary: 'Reset the connection, the settings, or everything',
      description:
        'First the entities are removed from Home Assistant (at most 5 s), then the reset is recorded and answered, then the agent restarts and carries it out. A refused reset changes nothing.',
      guard: 'write',
      protects: ({ body }: SentReset) => ({ operation: 'PANEL_RESET', what: body.scope }),
      operations: ['PANEL_RESET'],
      check: () => whyNot(deps),
      maxBodyBytes: 1024,
      admit: unlessStopping(deps),
      body: () => ({
        description: 'Which reset, and the confirmation.',
        schema: Body(),
        refusal: { code: 'invalid-body', fields: { confirm: 'not-confirmed' } },
        example: { scope: 'connection', confirm: true },
      }),
      answers: () => ({
        200: json('Recorded; the restart follows.', Ordered()),
      }),
      problems: [
        'entities-left',
        'reset-during-trial',
        'reset-running',
        'operation-busy',
        'commit-failed',
        'save-unknown',
        'restarting',
        'stopping',
      ],
    },
    async ({ c, body, answer }) => {
      const view = viewOf(deps);
      if (view === undefined) return restarting('reset');
      const isOfNewer = deps.registry.read('store')?.context.newer?.copyFrom === null;
      // Beginning without the settings of a newer version removes nothing.
      const removed = isOfNewer ? nothingRemoved : countsOf(body.scope, view);
      const asked = await deps.registry.ask(
        'reset',
        {
          type: 'reset.start',
          scope: body.scope,
          by: requestedFrom(c, deps),
          at: deps.now(),
          withoutBroker: body.without_broker === true,
        },
        resetMs,
      );
      if (!asked.ok)
        return asked.reason === 'timeout'
          ? refuse(
              'save-unknown',
              'The reset is taking long: it may still happen. /api/v1/setup/reset shows its state.',
            )
          : restarting('reset');
      const outcome = asked.value;
      switch (outcome.status) {
        case 'ordered':
          return answer(200, {
            ok: true,
            status: 'restarting',
            scope: body.scope,
            entities: outcome.entities,
            left_behind: outcome.leftBehind,
            removed,
          });
        case 'entities-left':
          return {
            ...refuse(
              'entities-left',
              `Nothing was reset, since Home Assistant would keep the entities of this panel. ${leftWords[outcome.reason]} Or send without_broker: true to leave them behind.`,
            ),
            reasons: { without_broker: topicsWords(outcome.topics) },
          };
        case 'refused':
          return refusedReset(outcome.reason);
        case 'busy':
          return besideOperation(outcome.running);
        case 'failed':
          return refuse(
            'commit-failed',
            outcome.reason === 'newer-format'
              ? `Nothing was reset: a newer version of Sconce has written the settings. ${UNDECIDED}`
              : `Nothing was reset: it could not be written to disk (${outcome.reason}). Free or repair the disk and try again.`,
          );
      }
    },
  );
  declare(
    {
      operationId: 'cancelReset',
      method: 'post',
      path: `${path}/cancel`,
      tag: 'configuration',
      summary: 'Cancel a reset that the disk refused',
      description:
        'A reset that a start could not carry out stays ordered, and each start tries it again. This cancels it: everything stays as it is.',
      guard: 'write',
      protects: null,
      maxBodyBytes: 1024,
      admit: unlessStopping(deps),
      answers: () => ({ 200: json('It is cancelled, durably.', Cancelled(), { example: { ok: true } }) }),
      problems: ['no-reset', 'reset-running', 'operation-busy', 'commit-failed', 'restarting', 'stopping'],
    },
    async ({ answer }) => {
      const asked = await deps.registry.ask('reset', { type: 'reset.cancel' }, cancelMs);
      if (!asked.ok) return restarting('reset');
      const outcome = asked.value;
      switch (outcome.status) {
        case 'cancelled':
          return answer(200, { ok: true });
        case 'busy':
          return besideOperation(outcome.running);
        case 'refused':
          if (outcome.reason === 'unread') return restarting('reset');
          return outcome.reason === 'none'
            ? refuse('no-reset', 'No reset waits for a start, so there is nothing to cancel.')
            : refuse('reset-running', 'A reset is in progress. Wait until it is over.');
        case 'failed':
          return refuse(
            'commit-failed',
            `The reset stays ordered: its cancellation could not be written to disk (${outcome.reason}). Free or repair the disk and try again.`,
          );
      }
    },
  );
};
