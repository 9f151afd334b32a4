export declare const publicAddress: (remote: string) => string | null;
export declare const withAddress: (readme: string, address: string | null) => string;
