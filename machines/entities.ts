import { rows as dashboardRows } from './dashboard/entities.ts';
import { rowsFromSettings } from './entities/from-settings.ts';
import { rows as inputRows } from './input/entities.ts';
import type { EntityRow } from './kit/entity.ts';
import { rows as lightRows } from './lights/entities.ts';
import { rows as powerRows } from './power/entities.ts';
import { rows as proximityRows } from './proximity/entities.ts';
import { rows as readingRows } from './readings/entities.ts';
import { rows as relayRows } from './relays/entities.ts';
import { rows as rendererRows } from './renderer/entities.ts';
import { rows as screenRows } from './screen/entities.ts';
import { rows as sensorRows } from './sensors/entities.ts';
import { descriptors } from './settings.ts';
import { rows as storageRows } from './storage-health/entities.ts';
import { rows as volumeRows } from './volume/entities.ts';
import { rows as zigbeeRows } from './zigbee/entities.ts';

/**
 * Every entity of the panel, one row each; both surfaces, the pages and the documents walk these rows (design, section
 * 4).
 */
export const entityRows: readonly EntityRow[] = [
  ...screenRows,
  ...lightRows,
  ...relayRows,
  ...volumeRows,
  ...dashboardRows,
  ...rendererRows,
  ...powerRows,
  ...inputRows,
  ...sensorRows,
  ...rowsFromSettings(descriptors),
  ...proximityRows,
  ...zigbeeRows,
  ...storageRows,
  ...readingRows,
];
