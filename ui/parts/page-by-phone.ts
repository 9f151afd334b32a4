import { pageTable } from '../page-table.ts';

/** Paths of the pages that a QR code can lead to; `status` is the panel's first page. */
export const pathsByPhone = {
  'sign-in': pageTable['sign-in'].path,
  setup: pageTable.setup.path,
  status: pageTable.status.path,
} as const;

export type PageByPhone = keyof typeof pathsByPhone;
