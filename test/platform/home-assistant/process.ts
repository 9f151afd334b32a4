import { existsSync, readFileSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { Program } from '../kit/program.ts';
import { until } from '../kit/until.ts';
import { root, urlOf, venv } from './folder.ts';
import { answering } from './onboard.ts';

const proxies = ['http_proxy', 'https_proxy', 'no_proxy'].flatMap((name) => {
  const value = process.env[name] ?? process.env[name.toUpperCase()];
  return value === undefined ? [] : [`${name}=${value}`];
});

/** The beginning of a command line that runs the rest of it in the root folder, as this user. */
export function insideRoot(): readonly string[] {
  const { uid, gid } = userInfo();
  return uid === 0 ? ['chroot', root] : ['sudo', '-n', 'chroot', `--userspec=${uid}:${gid}`, root];
}

/** The environment that finds `chroot`. */
export const rootEnv = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`,
});

/**
 * Starts Home Assistant on the data in `folder` and returns once it answers HTTP on `port`. `through` is a command that
 * runs the command that follows it.
 */
export async function launch(folder: string, port: number, through: readonly string[] = []): Promise<Program> {
  const inside = folder.slice(root.length);
  const env = [
    'HOME=/srv',
    'PATH=/usr/bin:/bin',
    'LANG=C.UTF-8',
    'PYTHONDONTWRITEBYTECODE=1',
    'SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt',
    ...proxies,
  ];
  const script = `echo $$ > ${inside}/pid.new && mv ${inside}/pid.new ${inside}/pid && exec ${venv}/bin/hass -c ${inside} --log-no-color`;
  const pidFile = join(folder, 'pid');
  rmSync(pidFile, { force: true });
  const program = new Program(
    '/usr/bin/env',
    [...through, ...insideRoot(), '/usr/bin/env', '-i', ...env, '/bin/sh', '-c', script],
    {
      env: rootEnv(),
    },
  );
  program.answersTo(
    Number(await until('Home Assistant has a process', () => existsSync(pidFile) && readFileSync(pidFile, 'utf8'))),
  );
  await answering(urlOf(port), () => program.runs);
  return program;
}
