import { pageTable } from '../page-table.ts';

/** Where the pages stand that a phone is led to by a code; `status` is the first page of the panel. */
export const pathsByPhone = {
  'sign-in': pageTable['sign-in'].path,
  setup: pageTable.setup.path,
  status: pageTable.status.path,
} as const;

/** A page of the panel that a phone is led to. */
export type PageByPhone = keyof typeof pathsByPhone;
