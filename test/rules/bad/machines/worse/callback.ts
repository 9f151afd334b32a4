import { fromCallback } from 'xstate';

export const logic = fromCallback(() => {});
