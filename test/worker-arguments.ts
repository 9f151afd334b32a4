/**
 * Arguments of Node in each process that runs tests: memory is collected on one thread. With helpers a collection waits
 * for each of them, which a machine whose cores are all busy pays for: `unit` takes a tenth less processor time without.
 */
export const workerArguments: string[] = ['--single-threaded-gc'];
