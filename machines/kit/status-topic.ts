/** First part of every topic of this product. */
export const ROOT = 'sconce';

/** The eight digits by which two machines with one panel id are told apart on the broker. */
export const shortInstall = (installId: string): string => installId.slice(0, 8);

/**
 * Retained topic that says whether the machine `installId` under `panelId` is there: `online` or its will `offline`.
 */
export const statusTopic = (panelId: string, installId: string): string =>
  `${ROOT}/${panelId}/status/${shortInstall(installId)}`;
