/**
 * Whether the shell that started this process is root's: what it prints is typed there without `sudo`. Who came through
 * sudo needs it again.
 */
export const isRootShell = (
  uid: number | undefined = process.getuid?.(),
  env: Readonly<Record<string, string | undefined>> = process.env,
): boolean => uid === 0 && env['SUDO_UID'] === undefined;
