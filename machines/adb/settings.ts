import { z } from 'zod';
import { setting, textUpTo } from '../kit/fields.ts';
import { parseAdbDevice } from './decide.ts';

/** Settings of the bridge to an Android panel. */
export const adbSettings = z.object({
  adb_device: setting(
    textUpTo(
      300,
      z.refine<string>(
        (text) => parseAdbDevice(text) !== null,
        'Enter a serial number, or an address with an optional port; leave it empty for the only device that is connected.',
      ),
    ),
    '',
    {
      title: 'Android panel',
      help: 'For profiles of Android panels: its serial number, or its address on the network; empty for the only one connected by USB.',
      group: 'system',
      tier: 'advanced',
      scope: 'device',
      needs: 'adb',
    },
  ),
});
