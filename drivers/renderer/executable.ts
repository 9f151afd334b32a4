import { findProgram } from '#drivers/kit/find-program.ts';

/** Names under which distributions install Chromium and its relatives, in order of preference. */
export const BROWSER_NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'ungoogled-chromium',
] as const;

/** Path of the first of `names` that is a program, on the PATH or as an absolute path; null if none is. */
export const findBrowser = findProgram;
