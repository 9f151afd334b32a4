import { userInfo } from 'node:os';

/** A name that stands in a shell command as it is. */
const PLAIN = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/** Name of the user that this process runs as; null where it has none, or none that a command could hold. */
export function ownUser(read: () => { readonly username: string } = userInfo): string | null {
  try {
    const { username } = read();
    return PLAIN.test(username) ? username : null;
  } catch {
    // A user id without an entry in the system's list of users.
    return null;
  }
}
