// Vitest's coverage by V8, which is taken after each file of tests: only what is measured is kept, since the worker
// sends it, the runner adds it to that of all files before, and the rest of the agent is ten times as much.
import coverage from '@vitest/coverage-v8';

// The workers have the environment of `suite.mjs`.
const folder = process.env.SCONCE_BRANCHES_OF;

const isMeasured = ({ url }) => url.includes(`/${folder}/`) && !url.includes(`/test/${folder}/`);

// oxlint-disable-next-line import/no-default-export -- where vitest looks for it
export default {
  ...coverage,
  async takeCoverage(options) {
    const { result } = await coverage.takeCoverage(options);
    return { result: result.filter(isMeasured) };
  },
};
