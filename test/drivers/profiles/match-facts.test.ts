import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readMatchFacts } from '#drivers/profiles/match-facts.ts';

describe('the facts of a machine', () => {
  let folder: string;
  const write = (name: string, text: string | Uint8Array): void => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const read = () =>
    readMatchFacts({
      deviceTree: join(folder, 'tree'),
      dmi: join(folder, 'dmi'),
      osRelease: [join(folder, 'etc'), join(folder, 'usr')],
    });

  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'sconce-facts-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are all unknown where the machine tells nothing', () => {
    expect(read()).toEqual({
      devicetree_model: null,
      devicetree_compatible: [],
      devicetree_panels: [],
      dmi_product: null,
      dmi_vendor: null,
      os_id: null,
      os_like: [],
      android_model: null,
      android_device: null,
      android_product: null,
    });
  });

  it('are read from a device tree, which ends its texts with NUL', () => {
    write('tree/model', 'Raspberry Pi 4 Model B Rev 1.4\0');
    write('tree/compatible', 'raspberrypi,4-model-b\0brcm,bcm2711\0');
    expect(read()).toMatchObject({
      devicetree_model: 'raspberry pi 4 model b rev 1.4',
      devicetree_compatible: ['raspberrypi,4-model-b', 'brcm,bcm2711'],
    });
  });

  it.each([
    ['at the root', 'panel_disp@0', 'raspberrypi,7inch-dsi\0simple-panel\0', ['raspberrypi,7inch-dsi', 'simple-panel']],
    [
      'on the DSI host of a Raspberry Pi 4',
      'soc/dsi@7e700000/dsi_panel@0',
      'raspberrypi,dsi-7inch\0',
      ['raspberrypi,dsi-7inch'],
    ],
    [
      'on the DSI host of a Raspberry Pi 5',
      'axi/pcie@1000120000/rp1/dsi@110000/dsi_panel@0',
      'raspberrypi,dsi-5inch\0',
      ['raspberrypi,dsi-5inch'],
    ],
    ['on the DSI host of an RK3566', 'dsi@fe060000/panel@0', 'simple-panel-dsi\0', ['simple-panel-dsi']],
    ['not the light behind one', 'panel_backlight@1', 'pwm-backlight\0', []],
    ['not what merely is deep', 'soc/i2c@1/x/y/z/panel@0', 'x\0', []],
  ])('tell the panel of the display: %s', (_what, node, compatible, panels) => {
    write(`tree/${node}/compatible`, compatible);
    expect(read().devicetree_panels).toEqual(panels);
  });

  it('are read from the firmware of a PC and from os-release, the first that is there', () => {
    write('dmi/product_name', 'Surface Go 2\n');
    write('dmi/sys_vendor', 'Microsoft Corporation\n');
    write('usr', 'ID=other\n');
    write('etc', 'NAME="Raspberry Pi OS"\nID=raspbian\nID_LIKE="debian ubuntu"\n');
    expect(read()).toMatchObject({
      dmi_product: 'surface go 2',
      dmi_vendor: 'microsoft corporation',
      os_id: 'raspbian',
      os_like: ['debian', 'ubuntu'],
    });
  });

  it('are bounded and on one line, whatever the files hold', () => {
    write('tree/model', `A\u0007B\n${'x'.repeat(9000)}`);
    write('tree/compatible', Array.from({ length: 99 }, (_, at) => `c${at}`).join('\0'));
    write('dmi/product_name', '   \n');
    const facts = read();
    expect(facts.devicetree_model).toHaveLength(100);
    expect(facts.devicetree_model).toMatch(/^a b x+$/);
    expect(facts.devicetree_compatible).toHaveLength(32);
    expect(facts.dmi_product).toBeNull();
  });

  it('of this machine can be read', () => {
    expect(readMatchFacts().android_model).toBeNull();
  });
});
