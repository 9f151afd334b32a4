import { homedir, hostname, networkInterfaces, userInfo } from 'node:os';
import { basename } from 'node:path';

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without an entry in passwd(5), as in some containers.
    return '';
  }
}

/** Names and addresses that the operating system has for this machine and for the user that the agent runs as. */
export function readOwnNames(): readonly string[] {
  const host = hostname();
  return [
    host,
    host.split('.')[0] ?? '',
    userName(),
    basename(homedir()),
    ...Object.values(networkInterfaces())
      .flat()
      .flatMap((address) => (address === undefined || address.internal ? [] : [address.address, address.mac])),
  ];
}
