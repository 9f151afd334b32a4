import { answerApprovals, type Said } from '#bin/approvals.ts';

/** The command on a folder; its argument is JSON, for a process of its own. */
export function callApprovals(argument: string): Promise<Said> {
  // Written by the test that starts this.
  const { task, folder } = JSON.parse(argument) as { readonly task: 'list' | 'relaxed'; readonly folder: string };
  return answerApprovals({ do: task }, { folder, again: 'sconce approvals' });
}
