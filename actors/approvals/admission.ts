import { randomBytes } from 'node:crypto';

import { freshKey, keyedDigest } from '#drivers/kit/keyed-digest.ts';
import type { ApprovalOutcome, SecurityMode } from '#machines/approvals/events.ts';
import { noPlaceWords } from '#machines/approvals/place-words.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { capabilities, judgeCapability } from '#machines/capabilities.ts';
import { type Operation, operations } from '#machines/operations.ts';
import { descriptors } from '#machines/settings.ts';

import type { Admission, Admitted, NotAdmitted, Wanted } from '../kit/admission.ts';
import { realTimers, type Registry, type Timers } from '../kit/registry.ts';
import { until } from '../kit/until.ts';
import { whenAnswered } from './when-answered.ts';

/** Longest wait for the approvals: for their answer, and for the mode right after a start. */
const ANSWER_MS: Milliseconds = 2000;

const admitted: Admitted = { ok: true };

const unknownMode: NotAdmitted = {
  ok: false,
  reason: 'restarting',
  message: 'The part that asks at the panel is being restarted. Try again in a few seconds.',
};

/** The answer to a request that has to wait or is refused. */
function notAdmitted(
  outcome: Exclude<ApprovalOutcome, { readonly status: 'open' }>,
  repeats: boolean,
  withoutPlace: string | undefined,
): NotAdmitted {
  switch (outcome.status) {
    case 'pending': {
      const lacks = noPlaceWords(outcome.place);
      const then = repeats
        ? 'Approve it at the panel, then send the same request again within ten minutes.'
        : 'Approve it at the panel within ten minutes; the panel then does it.';
      const message = lacks === null ? then : `A person must approve this at the panel. ${lacks}`;
      return { ok: false, reason: 'approval-required', message, approvalId: outcome.id };
    }
    case 'full': {
      const whose = outcome.of === 'peer' ? 'Three requests of this device' : 'Twelve requests';
      const message = `${whose} wait for an answer at the panel. Answer them there, or try again in ten minutes.`;
      return { ok: false, reason: 'too-many-approvals', message };
    }
    case 'ignored':
      return {
        ok: false,
        reason: 'device-ignored',
        message: 'A person at the panel ignores the requests of this device for an hour. Try again after that.',
      };
    case 'no-place': {
      const lacks = noPlaceWords({ kind: 'none', reason: outcome.reason });
      const message = ['A person must approve this at the panel.', lacks, withoutPlace].filter(Boolean).join(' ');
      return { ok: false, reason: 'no-place-to-ask', message };
    }
  }
}

/** What a consent turns on and this panel does not have, in the words of its verdict; null if it may have it. */
function lackingFor(operation: Operation, registry: Pick<Registry, 'read'>): string | null {
  const needs = descriptors.find(({ consent }) => consent === operation)?.needs ?? null;
  const row = capabilities.find(({ id }) => id === needs);
  if (needs === null || row === undefined) return null;
  const judged = judgeCapability(row, registry.read(row.actor));
  if (judged?.state === 'not_here') return judged.detail;
  return registry.read('active-profile')?.context.absent.includes(needs) === true
    ? `${row.title}: the profile of this panel says that it has none.`
    : null;
}

export interface AdmissionDeps {
  readonly registry: Pick<Registry, 'ask' | 'follow' | 'read'>;
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: () => Milliseconds;
  readonly timers?: Timers;
}

export function createAdmission({ registry, elapsed, timers = realTimers }: AdmissionDeps): Admission {
  const key = freshKey();
  let mode: SecurityMode | null = null;
  const end = registry.follow(
    'approvals',
    (snapshot) => snapshot?.context.mode ?? null,
    (now) => {
      // While the part restarts, the last mode that it had counts.
      mode = now ?? mode;
    },
  );

  const ask = async (wanted: Wanted): Promise<Admitted> => {
    const { operation, what, peer, effect, binds } = wanted;
    const request = {
      candidate: randomBytes(16).toString('hex'),
      digest: keyedDigest(key, `${operation}\0${peer}`, binds),
      operation,
      what,
      peer,
      effect,
      at: elapsed(),
    };
    const asked = await registry.ask('approvals', { type: 'approval.request', request }, ANSWER_MS);
    if (!asked.ok) return unknownMode;
    return asked.value.status === 'open'
      ? admitted
      : notAdmitted(asked.value, effect === null, operations[operation].withoutPlace);
  };

  const asks: Admission['asks'] = (operation, trusted) =>
    operations[operation].in === 'every' || !(trusted || mode === 'relaxed');

  const judge = (wanted: Wanted): Admitted | Promise<Admitted> => {
    if (!asks(wanted.operation, wanted.trusted)) return admitted;
    const lacks = lackingFor(wanted.operation, registry);
    if (lacks !== null) return { ok: false, reason: 'not-here', message: `Nothing was asked or changed. ${lacks}` };
    return operations[wanted.operation].in === 'hardened' && mode === null ? unknownMode : ask(wanted);
  };
  /** Right after a start the mode is still being read. */
  const judgeOnceKnown = async (wanted: Wanted): Promise<Admitted> => {
    await until(registry, 'approvals', ({ context }) => context.mode !== null, ANSWER_MS, { timers });
    return judge(wanted);
  };

  return {
    mode: () => mode,
    end,
    asks,
    admit: (wanted) =>
      mode === null && asks(wanted.operation, wanted.trusted) ? judgeOnceKnown(wanted) : judge(wanted),
    whenAnswered: (request, boundMs, signal) => whenAnswered({ registry, elapsed, timers }, request, boundMs, signal),
    admitClosed: ({ closed, message }, trusted) => {
      if (trusted || mode === 'relaxed') return admitted;
      return mode === null ? unknownMode : { ok: false, reason: closed, message };
    },
  };
}
