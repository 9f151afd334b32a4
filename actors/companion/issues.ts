import type { After } from '#drivers/kit/rounds.ts';
import { capabilities, judgeCapabilities, judgeCapability } from '#machines/capabilities.ts';
import { changedIssues, type Issue, issuesOf } from '#machines/companion/issues.ts';
import { forRootShell } from '#machines/kit/root-shell.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { needsOf } from '#machines/status/needs.ts';
import { newerNotice } from '#machines/store/loss.ts';

import { followList } from '../kit/follow-all.ts';
import type { Registry } from '../kit/registry.ts';

/** Between a change and the news of it: what comes and goes within it is no issue. */
const SETTLE_MS: Milliseconds = 1000;

export interface IssuesDeps {
  readonly registry: Pick<Registry, 'follow' | 'ids' | 'off' | 'read'>;
  /** Ids of the parts that keep failing. */
  readonly parked: () => readonly string[];
  /** True if commands are for a root shell, without `sudo`. */
  readonly rootShell: boolean;
}

/** Where they are followed. */
export interface IssuesScope {
  /** Wraps the callbacks of timers. */
  readonly guard: (fn: () => void) => () => void;
  readonly after: After;
  /** Called with each issue that is new, reads differently or is gone. */
  readonly changed: (issue: Issue) => void;
}

/** The panel's issues: all that its status says needs a person. */
export interface Issues {
  /** As they were told last. */
  readonly told: () => readonly Issue[];
  readonly stop: () => void;
}

/** Follows them, and tells at most once a second how they changed. */
export function followIssues(
  { registry, parked, rootShell }: IssuesDeps,
  { guard, after, changed }: IssuesScope,
): Issues {
  const view: Registry['read'] = (id) => registry.read(id) ?? registry.off(id);
  const now = (): readonly Issue[] => {
    const judged = judgeCapabilities(view, registry.ids(), view('active-profile')?.context.absent ?? []);
    const store = view('store')?.context;
    return issuesOf(
      needsOf({
        capabilities: rootShell ? judged.map(forRootShell) : judged,
        parked: parked(),
        loss: store?.loss?.reason ?? null,
        newer: newerNotice(store?.newer ?? null),
      }),
    );
  };
  let told: readonly Issue[] | null = null;
  let cancel: (() => void) | null = null;
  const tell = (): void => {
    cancel = null;
    const before = told ?? [];
    told = now();
    for (const issue of changedIssues(before, told)) changed(issue);
  };
  const end = followList<unknown>(
    registry,
    [
      ...capabilities.map((row) => ({
        id: row.actor,
        // Only what needs a person is told.
        selector: () => {
          const judged = judgeCapability(row, view(row.actor));
          return judged?.state === 'needs_you' ? judged : null;
        },
      })),
      // A part that keeps failing is absent.
      ...registry.ids().map((id) => ({ id, selector: (snapshot: unknown) => snapshot === undefined })),
      { id: 'store' as const, selector: () => [view('store')?.context.loss, view('store')?.context.newer] },
      { id: 'active-profile' as const, selector: () => view('active-profile')?.context.absent },
    ],
    () => {
      // Those of the start are for the sessions that begin.
      if (told === null) told = now();
      else cancel ??= after(SETTLE_MS, guard(tell));
    },
  );
  return {
    told: () => told ?? [],
    stop: () => {
      end();
      cancel?.();
    },
  };
}
