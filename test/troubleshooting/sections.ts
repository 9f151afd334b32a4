import type { Verdict } from '#machines/kit/verdict.ts';
import { relayIds } from '#machines/relays/events.ts';
import { screenIds } from '#machines/screen/events.ts';
import { sensorIds } from '#machines/sensors/events.ts';
import * as hardware from './hardware-cases.ts';
import * as link from './link-cases.ts';
import { dashboardVerdicts, lossTold, partTold, passwordFileTold, storageVerdicts, type Told } from './panel-cases.ts';

/** Capabilities that say the same of themselves, by their ids, and all that they can say. */
export interface Part {
  readonly capabilities: readonly string[];
  readonly verdicts: readonly Verdict[];
}

/** What an owner sees, and the capabilities that say why. */
export interface Section {
  readonly heading: string;
  readonly parts: readonly Part[];
  /** What the panel says of no capability. */
  readonly told?: readonly Told[];
}

const part = (id: string, verdicts: readonly Verdict[]): Part => ({ capabilities: [id], verdicts });

/** Every capability stands in one of them; what is asked most comes first. */
export const sections: readonly Section[] = [
  {
    heading: 'Home Assistant does not show the panel',
    parts: [
      part('mqtt', link.brokerVerdicts),
      part('companion', link.companionVerdicts),
      part('platform', link.presenceVerdicts),
    ],
  },
  { heading: 'The panel is not signed in', parts: [part('sign-in', link.signInVerdicts)] },
  { heading: 'The dashboard is not shown', parts: [part('dashboard', dashboardVerdicts)] },
  {
    heading: 'The screen cannot be switched or dimmed',
    parts: [
      {
        capabilities: screenIds,
        verdicts: hardware.screenVerdicts,
      },
    ],
  },
  {
    heading: 'A touch or a button does nothing',
    parts: [
      part('touch', hardware.touchVerdicts),
      part('buttons', hardware.buttonVerdicts),
      part('keyboard', hardware.keyboardVerdicts),
    ],
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
      { capabilities: relayIds, verdicts: hardware.relayVerdicts },
    ],
  },
  {
    heading: 'A sensor shows nothing',
    parts: [
      { capabilities: sensorIds, verdicts: hardware.sensorVerdicts },
      part('proximity', hardware.proximityVerdicts),
      part('soc-temperature', link.temperatureVerdicts),
    ],
  },
  { heading: 'The panel cannot be rebooted', parts: [part('reboot', hardware.rebootVerdicts)] },
  { heading: 'An Android panel does not answer', parts: [part('adb', hardware.androidVerdicts)] },
  { heading: 'Zigbee devices do not answer', parts: [part('zigbee', hardware.zigbeeVerdicts)] },
  { heading: 'There is no picture of the camera', parts: [part('camera', hardware.cameraVerdicts)] },
  { heading: 'The panel does not hear', parts: [part('microphone', hardware.microphoneVerdicts)] },
  {
    heading: 'The network is not found, or not measured',
    parts: [
      part('discovery', link.discoveryVerdicts),
      part('icmp', link.networkVerdicts),
      part('wifi', link.wifiVerdicts),
    ],
  },
  { heading: 'Settings are not saved, or are gone', parts: [part('storage', storageVerdicts)], told: lossTold },
  { heading: 'A part of Sconce keeps failing', parts: [], told: partTold },
  { heading: 'A password can be read by others', parts: [], told: passwordFileTold },
];
