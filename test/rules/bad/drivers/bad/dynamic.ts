export const name = async (): Promise<string> => (await import('#actors/target/thing.ts')).thing.name;
