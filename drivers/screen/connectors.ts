import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Lists connectors with a display (`HDMI-A-1`, `eDP-1`) from the kernel's graphics class. Writeback connectors, which
 * only record the picture, are left out.
 */
export async function connectedDisplays(root = '/sys/class/drm'): Promise<readonly string[]> {
  const entries = (await readdir(root).catch((): string[] => [])).filter(
    (name) => /^card\d+-/.test(name) && !name.includes('Writeback'),
  );
  const states = await Promise.all(entries.map((name) => readFile(join(root, name, 'status'), 'utf8').catch(() => '')));
  const names = entries
    .filter((_, index) => states[index]?.trim() === 'connected')
    .map((name) => name.replace(/^card\d+-/, ''));
  return [...new Set(names)].toSorted();
}
