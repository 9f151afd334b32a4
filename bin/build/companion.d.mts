export declare const stamped: (text: string, version: string, address: string | undefined) => string;
export declare const companion: (root: string, fresh: string, version: string) => Promise<string>;
