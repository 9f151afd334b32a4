import type { SconceAddress } from './address.ts';
import { ask } from './send.ts';

/**
 * Offers the machine of Home Assistant (`data-beside`) as the broker, if one answers there: one probe, without
 * credentials, and only where none is saved.
 */
export async function offerBrokerBeside(page: HTMLElement): Promise<void> {
  const { beside = '', broker = '' } = page.dataset;
  const place = page.querySelector<SconceAddress>('[data-field=mqtt_broker] sconce-address');
  page.dataset['beside'] = '';
  if (beside === '' || broker !== '' || place === null || !(await place.isOpenToOffers())) return;
  const answer = await ask(`/api/v1/config/probe-broker?url=${encodeURIComponent(beside)}`);
  if (answer.ok && answer.body['ok'] === true) place.offer(beside, 'form.found_beside');
}
