/** First level of every topic of this product. */
export const ROOT = 'sconce';

/** Eight digits that distinguish two machines with one panel id on the broker. */
export const shortInstall = (installId: string): string => installId.slice(0, 8);

/** Retained topic with the availability of the machine `installId` under `panelId`: `online`, or its will `offline`. */
export const statusTopic = (panelId: string, installId: string): string =>
  `${ROOT}/${panelId}/status/${shortInstall(installId)}`;
