import type { After } from '#drivers/kit/rounds.ts';
import { capabilities, judgeCapabilities, judgeCapability } from '#machines/capabilities.ts';
import { changedIssues, type Issue, issuesOf } from '#machines/companion/issues.ts';
import { forRootShell } from '#machines/kit/root-shell.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { isUnprobed } from '#machines/kit/verdict.ts';
import { type JudgedCapability, needsOf } from '#machines/status/needs.ts';
import { newerNotice } from '#machines/store/loss.ts';

import { followList } from '../kit/follow-all.ts';
import type { Registry } from '../kit/registry.ts';

/** Between a change and the news of it: what comes and goes within it is no issue. */
const SETTLE_MS: Milliseconds = 1000;

/** Longest wait for the panel to look at all its parts; one that keeps failing is never looked at. */
const LOOK_MS: Milliseconds = 60_000;

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
  /** Called once all of them are known, if they were not at first. */
  readonly known: () => void;
}

/** The panel's issues: all that its status says needs a person. */
export interface Issues {
  /** As they were told last. */
  readonly told: () => readonly Issue[];
  /** False while the panel still looks at its parts: then there may be further ones. */
  readonly areKnown: () => boolean;
  readonly stop: () => void;
}

type View = Registry['read'];

/** What is known of the issues at one moment. */
interface Known {
  readonly issues: readonly Issue[];
  /** False while a part is looked at for the first time. */
  readonly isWhole: boolean;
}

/** Looks at all parts. One that is looked at again, as after a restart of it, keeps its issue until then. */
function createLook({ registry, parked, rootShell }: IssuesDeps, view: View): () => Known {
  const last = new Map<string, JudgedCapability>();
  const kept = (row: JudgedCapability): JudgedCapability => {
    if (!isUnprobed(row)) last.set(row.id, row);
    return last.get(row.id) ?? row;
  };
  return () => {
    const absent = view('active-profile')?.context.absent ?? [];
    const judged = judgeCapabilities(view, registry.ids(), absent).map((row) => kept(row));
    const store = view('store')?.context;
    const needs = needsOf({
      capabilities: rootShell ? judged.map((row) => forRootShell(row)) : judged,
      parked: parked(),
      loss: store?.loss?.reason ?? null,
      newer: newerNotice(store?.newer ?? null),
    });
    return { issues: issuesOf(needs), isWhole: !judged.some(isUnprobed) };
  };
}

/** Calls back at once, and on each change of what the issues are made from. */
const followParts = (registry: IssuesDeps['registry'], view: View, changed: () => void): (() => void) =>
  followList<unknown>(
    registry,
    [
      ...capabilities.map((row) => ({
        id: row.actor,
        selector: () => {
          const judged = judgeCapability(row, view(row.actor));
          return judged?.state === 'needs_you' ? judged : judged !== null && isUnprobed(judged);
        },
      })),
      // A part that keeps failing is absent.
      ...registry.ids().map((id) => ({ id, selector: (snapshot: unknown) => snapshot === undefined })),
      { id: 'store' as const, selector: () => [view('store')?.context.loss, view('store')?.context.newer] },
      { id: 'active-profile' as const, selector: () => view('active-profile')?.context.absent },
    ],
    changed,
  );

/** Follows them, and tells at most once a second how they changed. */
export function followIssues(deps: IssuesDeps, { guard, after, changed, known }: IssuesScope): Issues {
  const { registry } = deps;
  const view: View = (id) => registry.read(id) ?? registry.off(id);
  const look = createLook(deps, view);
  let { issues, isWhole } = look();
  let cancel: (() => void) | null = null;
  const tell = (): void => {
    cancel = null;
    const [before, wasWhole] = [issues, isWhole];
    const now = look();
    issues = now.issues;
    isWhole ||= now.isWhole;
    for (const issue of changedIssues(before, issues)) changed(issue);
    if (isWhole && !wasWhole) known();
  };
  const tellSoon = (): void => {
    cancel ??= after(SETTLE_MS, guard(tell));
  };
  const cancelLook = after(
    LOOK_MS,
    guard(() => {
      if (isWhole) return;
      isWhole = true;
      known();
    }),
  );
  // What they are at first is for the sessions that begin.
  let follows = false;
  const end = followParts(registry, view, () => {
    if (follows) tellSoon();
  });
  follows = true;
  return {
    told: () => issues,
    areKnown: () => isWhole,
    stop: () => {
      end();
      cancel?.();
      cancelLook();
    },
  };
}
