import type { Verdict } from '#machines/kit/verdict.ts';
import * as hardware from './hardware-cases.ts';
import * as link from './link-cases.ts';
import { dashboardVerdicts, storageVerdicts } from './panel-cases.ts';

/** Capabilities that say the same of themselves, by their ids, and all that they can say. */
interface Part {
  readonly capabilities: readonly string[];
  readonly verdicts: readonly Verdict[];
}

/** What an owner sees, and the capabilities that say why. */
export interface Section {
  readonly heading: string;
  readonly parts: readonly Part[];
}

const part = (id: string, verdicts: readonly Verdict[] | undefined): Part => ({
  capabilities: [id],
  verdicts: verdicts ?? [],
});

/** Every capability stands in one of them; what is asked most comes first. */
export const sections: readonly Section[] = [
  {
    heading: 'Home Assistant does not show the panel',
    parts: [part('mqtt', link.brokerVerdicts), part('platform', link.presenceVerdicts)],
  },
  { heading: 'The panel is not signed in', parts: [part('sign-in', link.signInVerdicts)] },
  { heading: 'The dashboard is not shown', parts: [part('dashboard', dashboardVerdicts)] },
  {
    heading: 'The screen cannot be switched or dimmed',
    parts: [
      {
        capabilities: ['screen', 'screen_2', 'screen_3', 'screen_4'],
        verdicts: hardware.screenVerdicts,
      },
    ],
  },
  {
    heading: 'A touch or a button does nothing',
    parts: [part('touch', hardware.touchVerdicts), part('buttons', hardware.buttonVerdicts)],
  },
  {
    heading: 'Nothing is heard',
    parts: [part('volume', hardware.volumeVerdicts), part('announcements', hardware.announcementVerdicts)],
  },
  {
    heading: 'A light or a relay does not switch',
    parts: [
      {
        capabilities: ['led', 'button_backlight', 'button_led1', 'button_led2', 'button_led3', 'button_led4'],
        verdicts: hardware.lightVerdicts,
      },
      { capabilities: ['relay1', 'relay2', 'relay3', 'relay4'], verdicts: hardware.relayVerdicts },
    ],
  },
  {
    heading: 'A sensor shows nothing',
    parts: [
      ...['illuminance', 'temperature', 'humidity'].map((id) => part(id, hardware.sensorVerdicts[id])),
      part('proximity', hardware.proximityVerdicts),
      part('soc-temperature', link.temperatureVerdicts),
    ],
  },
  { heading: 'The panel cannot be rebooted', parts: [part('reboot', hardware.rebootVerdicts)] },
  { heading: 'An Android panel does not answer', parts: [part('adb', hardware.androidVerdicts)] },
  { heading: 'Zigbee devices do not answer', parts: [part('zigbee', hardware.zigbeeVerdicts)] },
  { heading: 'There is no picture of the camera', parts: [part('camera', hardware.cameraVerdicts)] },
  {
    heading: 'The network is not found, or not measured',
    parts: [
      part('discovery', link.discoveryVerdicts),
      part('icmp', link.networkVerdicts),
      part('wifi', link.wifiVerdicts),
    ],
  },
  { heading: 'Settings are not saved', parts: [part('storage', storageVerdicts)] },
];
