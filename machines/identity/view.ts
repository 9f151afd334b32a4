import type { IdentityContext, IdentityRecord, MachineFacts, OwnerNames } from './events.ts';
import { isDefaultHostName } from './generate.ts';
import { ownField } from '../kit/own-field.ts';

/** Placeholders in firmware whose maker filled in nothing. */
const BLANK =
  /^(to be filled by o\.?e\.?m\.?|default string|system (manufacturer|product name|version)|not (applicable|specified|available)|unknown|none|n\/a|o\.?e\.?m\.?|x+|0+)$/i;

/** Device tree prefixes (the kernel's vendor-prefixes list) whose makers spell their names differently. */
const VENDORS: Readonly<Record<string, string>> = {
  raspberrypi: 'Raspberry Pi',
  xunlong: 'Orange Pi',
  radxa: 'Radxa',
  pine64: 'PINE64',
  friendlyarm: 'FriendlyElec',
  hardkernel: 'Hardkernel',
  khadas: 'Khadas',
};

/** Text from firmware; "" for a placeholder. */
function unlessBlank(text: string): string {
  const trimmed = text.trim();
  return BLANK.test(trimmed) ? '' : trimmed.slice(0, 128);
}

/** The panel id as words: `living_room` becomes "Living room". */
function titled(panelId: string): string {
  const words = panelId.replaceAll('_', ' ').trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Who this panel is: the owner's choice, otherwise what the machine reports. */
export function identityView(
  record: IdentityRecord,
  facts: MachineFacts,
  names: OwnerNames,
): Pick<IdentityContext, 'panelId' | 'installId' | 'friendlyName' | 'manufacturer' | 'model' | 'system'> {
  const panelId = names.panelId === '' ? record.autoPanelId : names.panelId;
  const auto =
    names.panelId === '' && isDefaultHostName(facts.hostName)
      ? `Panel ${record.installId.slice(0, 4)}`
      : titled(panelId);
  return {
    panelId,
    installId: record.installId,
    friendlyName: names.friendlyName === '' ? auto : names.friendlyName,
    manufacturer:
      names.manufacturer === ''
        ? (ownField(VENDORS, facts.vendor.toLowerCase()) ?? unlessBlank(facts.vendor))
        : names.manufacturer,
    model: names.model === '' ? unlessBlank(facts.product) : names.model,
    system: facts.system,
  };
}
