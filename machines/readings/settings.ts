import { z } from 'zod';
import { reading } from '../kit/fields.ts';
import type { SettingMeta } from '../kit/setting.ts';

/** Common fields of every reading of the machine (as in panel-assistant: scope D, published only when exposed). */
const about = (title: string, help: string, tier: SettingMeta['tier'], unit?: string): SettingMeta => ({
  title,
  help,
  group: 'diagnostics',
  tier,
  scope: 'device',
  ...(unit === undefined ? {} : { unit }),
});

/** The readings of the machine; all are read-only, each can be shown in Home Assistant. */
export const readingsSettings = z.object({
  diag_ip: reading(z.string(), about('Address', 'The address of this panel on your network.', 'basic')),
  diag_cpu: reading(z.int(), about('Processor use', 'How busy the processor is.', 'basic', '%')),
  diag_memory: reading(z.int(), about('Memory use', 'How much of the memory is used.', 'basic', '%')),
  diag_soc_temp: reading(z.number(), about('Processor temperature', 'How warm the processor is.', 'basic', '°C')),
  diag_boot: reading(z.string(), about('Last start', 'When this machine was last started.', 'advanced')),
  diag_wifi_ssid: reading(z.string(), about('Wi-Fi network', 'The name of the wireless network.', 'advanced')),
  diag_wifi_rssi: reading(
    z.int(),
    about('Wi-Fi signal', 'Signal strength of the wireless network.', 'advanced', 'dBm'),
  ),
});
