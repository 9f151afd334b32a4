import { userInfo } from 'node:os';

/** A name that needs no quoting in a shell command. */
const PLAIN = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/** Name of the user of this process; null if it has none, or one that would need quoting in a command. */
export function ownUser(read: () => { readonly username: string } = userInfo): string | null {
  try {
    const { username } = read();
    return PLAIN.test(username) ? username : null;
  } catch {
    // The user id has no entry in the system's list of users.
    return null;
  }
}
