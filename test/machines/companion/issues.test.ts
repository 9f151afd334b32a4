import { describe, expect, it } from 'vitest';

import { capabilities, judgeCapability } from '#machines/capabilities.ts';
import { changedIssues, issuesOf } from '#machines/companion/issues.ts';
import { PanelMessage } from '#machines/companion/messages.ts';
import { type JudgedCapability, needsOf } from '#machines/status/needs.ts';
import { sections } from '#test/troubleshooting/sections.ts';

/** All verdicts of the panel that need a person, as they are judged. */
const judged: readonly JudgedCapability[] = sections
  .flatMap(({ parts }) => parts)
  .flatMap(({ capabilities: ids, verdicts }) =>
    capabilities
      .filter(({ id }) => ids.includes(id))
      .flatMap((row) =>
        verdicts.flatMap(
          // The snapshot is not read: the verdict is given.
          (verdict) =>
            judgeCapability({ ...row, judge: () => verdict, shown: () => true }, { value: {}, context: {} }) ?? [],
        ),
      ),
  )
  .filter(({ state }) => state === 'needs_you');

const issuesWith = (rows: readonly JudgedCapability[], parked: readonly string[] = []) =>
  issuesOf(needsOf({ capabilities: rows, parked, loss: null, newer: null }));

describe('the issues', () => {
  it('of everything that may need a person are messages without an address, none of them cut', () => {
    expect(judged.length).toBeGreaterThan(80);
    for (const row of judged) {
      const [issue, ...others] = issuesWith([row]);
      expect(others).toEqual([]);
      expect(PanelMessage().parse(issue)).toEqual(issue);
      expect(issue?.text).toMatch(/[.?!)]$/);
      expect(`${issue?.title} ${issue?.text}`).not.toMatch(/\d+\.\d+\.\d+\.\d+|[0-9a-f]{16}|https?:\/\/\w/);
      if (row.fix !== null) expect(issue?.text).toContain(row.fix.command);
    }
  });

  it('have names of their own, also by their reason', () => {
    const names = new Map(judged.map((row) => [issuesWith([row])[0]?.id, `${row.id} ${row.reason}`]));
    expect(names.size).toBe(new Set(judged.map((row) => `${row.id} ${row.reason}`)).size);
  });

  it('are the twenty most urgent ones', () => {
    const first = judged.filter(({ urgency }) => urgency !== undefined).slice(0, 1);
    const rest = judged.filter(({ urgency }) => urgency === undefined);
    const many = Array.from({ length: 25 }, (_, at) => ({ ...rest[at % rest.length], reason: `r${at}` }));
    // Each is a whole row with another reason.
    const issues = issuesWith([...(many as JudgedCapability[]), ...first]);
    expect(issues).toHaveLength(20);
    expect(issues[0]?.id).toBe(`${first[0]?.id}-${first[0]?.reason}`);
  });

  it('are told as they change', () => {
    const [one, two] = issuesWith(judged.slice(0, 1), ['finder']);
    if (one === undefined || two === undefined) throw new Error('two are missing');
    const other = { ...one, text: 'Other words.' };
    expect(changedIssues([one, two], [one, two])).toEqual([]);
    expect(changedIssues([], [one, two])).toEqual([one, two]);
    expect(changedIssues([one, two], [other])).toEqual([{ type: 'issue', id: two.id, gone: true }, other]);
  });
});
