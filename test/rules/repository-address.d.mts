export declare const publicAddress: (remote: string) => string | null;
export declare const withAddress: (readme: string, address: string | null) => string;
export declare const withRepository: (packageJson: string, address: string) => string;
