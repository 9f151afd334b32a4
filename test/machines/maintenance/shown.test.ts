import { describe, expect, it } from 'vitest';

import { installStatus, InstallStatus } from '#machines/maintenance/document.ts';
import { type EndedJob, jobKinds, jobStatuses, type RunningJob } from '#machines/maintenance/events.ts';
import { history, maintenanceCode, maintenanceCodes } from '#machines/maintenance/history.ts';
import { profileEnd } from '#machines/maintenance/profile-end.ts';
import {
  begunWords,
  brokenWords,
  busyWords,
  componentNames,
  failedWords,
  interruptedWords,
  postponedWords,
} from '#machines/maintenance/words.ts';

const idle = { running: null, last: null, lastBackupAt: null };
const running: RunningJob = {
  token: 'secret',
  kind: 'restore',
  changes: true,
  since: new Date(2026, 10, 26, 12, 3).getTime(),
  message: 'A restore is running.',
  isOrdered: false,
};
const last: EndedJob = {
  kind: 'import',
  since: 1,
  endedAt: 2,
  message: 'Three settings were changed.',
  result: { status: 'partial', config: { status: 'partial', items: 3, detail: 'One was not taken.' } },
};

describe('the words', () => {
  it('for a job that cannot begin name the one that runs, and since when', () => {
    expect(busyWords(running)).toBe(
      'Nothing was changed: a restore has been running since 12:03. Wait until it has ended, then try again.',
    );
    expect(busyWords(null)).toContain('Try again in a few seconds.');
  });

  it.each(jobKinds)('for %s are whole sentences', (kind) => {
    for (const words of [begunWords, brokenWords, failedWords, interruptedWords, postponedWords])
      expect(words(kind)).toMatch(/^An? [a-z ]+ .*\.$/);
  });
});

describe('/api/v1/install/status', () => {
  it('is empty before the first job', () =>
    expect(InstallStatus().parse(installStatus(idle))).toEqual({
      running: false,
      component: '',
      message: '',
      kind: null,
      ordered: false,
    }));

  it.each(jobKinds)('shows %s while it runs, without its token', (kind) => {
    const shown = InstallStatus().parse(installStatus({ ...idle, last, running: { ...running, kind } }));
    expect(shown).toEqual({
      running: true,
      component: componentNames[kind],
      message: 'A restore is running.',
      kind,
      ordered: false,
      started_at: running.since,
    });
  });

  it('shows the last one with the result of each part', () =>
    expect(InstallStatus().parse(installStatus({ ...idle, last }))).toEqual({
      running: false,
      component: 'Import',
      message: 'Three settings were changed.',
      kind: 'import',
      ordered: false,
      started_at: 1,
      ended_at: 2,
      result: { status: 'partial', config: { status: 'partial', items: 3, detail: 'One was not taken.' } },
    }));
});

describe('the history', () => {
  const [row] = history;

  it('has a code for each end of what has no kind of its own', () => {
    const pairs = jobKinds.flatMap((kind) => jobStatuses.map((status) => maintenanceCode(kind, status)));
    expect(new Set(pairs)).toEqual(new Set([...maintenanceCodes, null]));
    expect([maintenanceCode('reset', 'succeeded'), maintenanceCode('backup', 'rolled_back')]).toEqual([
      null,
      'backup-failed',
    ]);
  });

  it('notes each end once, and one of an earlier start not again', () => {
    const seen = row?.selector({ ...idle, last }, 'idle');
    expect(row?.historyEvents(null, seen, 10)).toEqual([
      { at: 2, kind: 'maintenance', by: null, code: 'import-partial' },
    ]);
    expect(row?.historyEvents(seen, seen, 10)).toEqual([]);
    expect(row?.historyEvents(null, seen, 3_600_000)).toEqual([]);
    expect(row?.selector(idle, 'idle')).toBeNull();
  });
});

describe('a change of the profile', () => {
  type Context = NonNullable<Parameters<typeof profileEnd>[0]>;
  const boot: Context['boot'] = { commandLine: false, issues: [] };
  const context = (
    state: 'active' | 'trial' | 'rolled_back',
    since: number,
    more: Partial<Context['boot']> = {},
  ): Context => ({
    boot: { ...boot, ...more },
    catalog: { activation: { state, since, reason: null, detail: null } },
  });

  it.each([
    ['the part is absent', undefined, null],
    ['the catalogue is not read', { boot, catalog: null }, null],
    ['it is on trial', context('trial', 10), null],
    ['it is kept', context('active', 10), 'succeeded'],
    ['it is taken back', context('rolled_back', 12), 'rolled_back'],
    ['it was never stored', context('active', 4), 'failed'],
    ['this run uses a profile of the command line', context('trial', 10, { commandLine: true }), 'skipped'],
    ['its start could not be noted', context('trial', 10, { issues: ['record-not-written'] }), 'skipped'],
  ] as const)('where %s', (_, facts, status) => expect(profileEnd(facts, 10)?.status ?? null).toBe(status));
});
