import type { StatusDocument } from '#machines/status.ts';

/** True if a person can type at the panel: on a connected keyboard, or on one that its session shows. */
export const hasKeyboard = ({ input }: Pick<StatusDocument, 'input'>): boolean =>
  input !== null && (input.keyboards.connected > 0 || input.keyboards.on_screen);
