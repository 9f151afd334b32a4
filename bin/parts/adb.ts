import { join } from 'node:path';
import { adbSpec } from '#actors/adb.ts';
import type { Part } from '#actors/kit/part.ts';
import { adbBridge } from '#drivers/adb/bridge.ts';
import type { AdbLink } from '#drivers/adb/link.ts';
import { ADB_FOLDER } from '#drivers/store/folder.ts';
import type { PartDeps } from './deps.ts';

/** The link to an Android panel. */
export function adbPart({ registry, folder }: PartDeps, link: AdbLink): Part {
  return adbSpec({ registry, bridge: adbBridge({ link, folder: join(folder, ADB_FOLDER) }) });
}
