/** Initial version of a copy: the original's version says nothing about the changes made to the copy. */
const firstVersion = '0.1.0';

/**
 * An editable copy of a bundled profile: its own id and name tell the two apart in every list, and the original's test
 * results are dropped. `text` has the format of the bundled files.
 */
export const clonedProfile = (text: string): string =>
  text
    .replace(/^id:[ \t]*(["']?)([a-z0-9.-]+)\1[ \t]*$/m, 'id: $2-copy')
    .replace(/^display_name:[ \t]*(["']?)(.+?)\1[ \t]*$/m, 'display_name: $1$2 (copy)$1')
    .replace(/^version:.*$/m, `version: ${firstVersion}`)
    .replace(/^(\s+maturity:).*$/m, '$1 draft')
    .replace(/^\s+tested_firmware:[ \t]*\[.*\][ \t]*\n/m, '')
    .replace(/^(\s+fallback:)[ \t]*true[ \t]*$/m, '$1 false');
