/** Version that a copy begins with: that of the original says nothing of what is changed in it. */
const firstVersion = '0.1.0';

/**
 * A profile that comes with Sconce as a copy to edit: its own id and name, so that both can be told apart wherever they
 * are listed, and nothing of what was proved of the original. `text` is written as the bundled ones are.
 */
export const clonedProfile = (text: string): string =>
  text
    .replace(/^id:[ \t]*(["']?)([a-z0-9.-]+)\1[ \t]*$/m, 'id: $2-copy')
    .replace(/^display_name:[ \t]*(["']?)(.+?)\1[ \t]*$/m, 'display_name: $1$2 (copy)$1')
    .replace(/^version:.*$/m, `version: ${firstVersion}`)
    .replace(/^(\s+maturity:).*$/m, '$1 draft')
    .replace(/^\s+tested_firmware:[ \t]*\[.*\][ \t]*\n/m, '')
    .replace(/^(\s+fallback:)[ \t]*true[ \t]*$/m, '$1 false');
