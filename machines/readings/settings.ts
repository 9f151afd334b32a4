import { z } from 'zod';
import type { SettingMeta } from '../kit/setting.ts';

/** Common fields of every reading of the machine (as in panel-assistant: scope D, published only when exposed). */
const reading = (title: string, help: string, tier: SettingMeta['tier'], unit?: string): SettingMeta => ({
  title,
  help,
  group: 'diagnostics',
  tier,
  scope: 'device',
  readOnly: true,
  ha: 'reading',
  ...(unit === undefined ? {} : { unit }),
});

/** The readings of the machine; all are read-only, each can be shown in Home Assistant. */
export const readingsSettings = z.object({
  diag_ip: z
    .string()
    .nullable()
    .default(null)
    .meta({ ...reading('Address', 'The address of this panel on your network.', 'basic') }),
  diag_cpu: z
    .int()
    .nullable()
    .default(null)
    .meta({ ...reading('Processor use', 'How busy the processor is.', 'basic', '%') }),
  diag_memory: z
    .int()
    .nullable()
    .default(null)
    .meta({ ...reading('Memory use', 'How much of the memory is used.', 'basic', '%') }),
  diag_soc_temp: z
    .number()
    .nullable()
    .default(null)
    .meta({ ...reading('Processor temperature', 'How warm the processor is.', 'basic', '°C') }),
  diag_boot: z
    .string()
    .nullable()
    .default(null)
    .meta({ ...reading('Last start', 'When this machine was last started.', 'advanced') }),
  diag_wifi_ssid: z
    .string()
    .nullable()
    .default(null)
    .meta({ ...reading('Wi-Fi network', 'The name of the wireless network.', 'advanced') }),
  diag_wifi_rssi: z
    .int()
    .nullable()
    .default(null)
    .meta({ ...reading('Wi-Fi signal', 'Signal strength of the wireless network.', 'advanced', 'dBm') }),
});
