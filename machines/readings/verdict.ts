import { checking, type Fix, type Verdict, verdictOf, working } from '../kit/verdict.ts';
import type { ReadingsContext } from './events.ts';

/** The verdict on the processor's temperature. */
export function judgeTemperature({ reading }: Pick<ReadingsContext, 'reading'>): Verdict {
  if (reading === null) return checking;
  return reading.socCelsius === null
    ? verdictOf(
        'not_here',
        'no-sensor',
        'No CPU temperature sensor was found.',
        'A temperature sensor that the kernel knows.',
      )
    : working('sensor-read', 'The temperature of the processor is read.');
}

const INSTALL_IW: Fix = {
  command: 'sudo apt install iw',
  effect: 'Installs the small tool that reads the name and the signal of the Wi-Fi network.',
};

/** The verdict on reading the Wi-Fi. */
export function judgeWifi({ reading }: Pick<ReadingsContext, 'reading'>): Verdict {
  if (reading === null) return checking;
  if (reading.wifi === 'none') return verdictOf('not_here', 'no-wifi', 'This machine has no Wi-Fi.');
  if (reading.wifi === 'idle')
    return verdictOf('off', 'wifi-not-joined', 'This machine has Wi-Fi but has not joined a network.');
  if (reading.wifiName !== null && reading.wifiSignalDbm !== null)
    return working('wifi-read', 'The name and the signal of the Wi-Fi network are read.');
  const missing = reading.wifiName === null ? 'A way to read the name of the network.' : 'A way to read the signal.';
  return reading.wifiName === null && reading.wifiSignalDbm === null
    ? verdictOf(
        'off',
        'wifi-unreadable',
        'This machine has joined a Wi-Fi network whose name and signal cannot be read.',
        missing,
        INSTALL_IW,
      )
    : verdictOf(
        'working',
        'wifi-in-part',
        'Only some of the details of the Wi-Fi network can be read.',
        missing,
        INSTALL_IW,
      );
}
