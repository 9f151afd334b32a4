/**
 * True if the shell that started this process is root's, so that commands are shown without `sudo`. A user who came
 * through sudo needs it again.
 */
export const isRootShell = (
  uid: number | undefined = process.getuid?.(),
  env: Readonly<Record<string, string | undefined>> = process.env,
): boolean => uid === 0 && env['SUDO_UID'] === undefined;
