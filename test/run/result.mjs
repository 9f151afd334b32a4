// What a run says at its end.

const counts = ({ passed, failures, skips, seconds }) => [passed, failures.length, skips.length, Math.round(seconds)];

/**
 * The table of the steps, their seconds beside their budgets, and a line for each that is over; a step without a budget
 * has `null`. The last row is the run as a whole.
 */
export function table(rows) {
  const cells = [
    ['step', 'passed', 'failed', 'skipped', 'seconds', 'budget'],
    ...rows.map((row) => [row.name, ...counts(row), row.budgetS ?? '-']),
  ].map((row) => row.map(String));
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const lines = cells.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  '),
  );
  return [...lines, ...rows.flatMap(overBudget)];
}

/** Says loudly of a step that it took longer than its budget; machines differ, so that is no failure. */
export const overBudget = ({ name, seconds, budgetS }) =>
  budgetS !== null && seconds > budgetS
    ? [`!!! OVER BUDGET: ${name} took ${Math.round(seconds)} s of ${budgetS} s`]
    : [];

/**
 * The lines that a run ends with: what was skipped, one line per reason, then what failed, which so stands right above
 * the sum, also in an excerpt of the end.
 */
export function closing({ passed, failures, skips, unsteady }) {
  const byReason = new Map();
  for (const { what, reason } of skips) byReason.set(reason, [...(byReason.get(reason) ?? []), what]);
  const sum = `${passed} passed, ${failures.length} failed`;
  return [
    ...[...byReason].map(([reason, [first, ...more]]) =>
      more.length === 0
        ? `skipped: ${first}: ${reason}`
        : `skipped: ${more.length + 1} tests: ${reason}; such as ${first}`,
    ),
    ...unsteady.map((name) => `unsteady: ${name}: failed at first and passed when it was run again; find its race`),
    ...failures.map((failure) => `failed: ${failure}`),
    skips.length > 0 ? `${sum}, ${skips.length} skipped` : sum,
  ];
}

/**
 * Takes the second look that a run is allowed, at `looks` failures of all steps together; more are no accident. What
 * passes then counts as passed and is told as unsteady, which is a defect of the test and has to be found.
 */
export async function secondLook(results, looks) {
  const failed = results.filter(({ failures }) => failures.length > 0);
  const sum = failed.reduce((before, { failures }) => before + failures.length, 0);
  if (sum === 0 || sum > looks) return [];
  const unsteady = [];
  for (const result of failed) {
    const passed = new Set((await result.again?.()) ?? []);
    result.failures = result.failures.filter((failure) => !passed.has(failure));
    result.passed += passed.size;
    unsteady.push(...passed);
  }
  return unsteady;
}
