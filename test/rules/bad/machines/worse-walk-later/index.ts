export const name = async (): Promise<string | undefined> => (await import('../settings.ts')).settings[0];
