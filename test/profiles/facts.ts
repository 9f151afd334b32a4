import type { MatchFacts } from '#machines/profile-catalog/reading.ts';

/** A machine that tells nothing of itself. */
export const unknownMachine: MatchFacts = {
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
};
