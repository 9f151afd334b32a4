import { renderSVG } from 'uqr';

/** An address as a QR code for a phone's camera, as SVG. */
export const qrCode = (address: string): string => renderSVG(address, { border: 2, ecc: 'M' });
