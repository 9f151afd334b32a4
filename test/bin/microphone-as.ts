import { answerMicrophone, type Said } from '#bin/microphone.ts';

/** `sconce microphone allow` for a data folder. */
export const allowAt = (folder: string): Promise<Said> =>
  answerMicrophone('allow', { folder, command: 'sconce microphone', named: '' });
