/**
 * The address of an origin if an installed panel may remember it, else null: one that contains no user, password or
 * token, and is of a kind that needs no key. Everyone on the machine can read what an installation notes.
 */
export function publicOrigin(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, username, password, search, hash } = new URL(address);
  const isOpen = ['https:', 'http:', 'git:'].includes(protocol);
  return isOpen && `${username}${password}${search}${hash}` === '' ? address : null;
}
