/** The user "nobody" of Debian. */
const NOBODY = 65_534;

/**
 * Gives up root for good, so that file modes count. Only for test files of their own at their beginning: vitest gives each
 * file a process (pool "forks").
 */
export const becomeUser = (): void => {
  if (process.getuid?.() !== 0) return;
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
};
