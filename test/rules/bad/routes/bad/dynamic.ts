export const name = async (): Promise<string> => (await import('#drivers/target/thing.ts')).thing.name;
