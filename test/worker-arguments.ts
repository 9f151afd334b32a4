/**
 * Arguments of Node in each process that runs tests: memory is collected on one thread. With helpers a collection
 * waits for each of them, and a machine whose cores are all busy pays for that with a tenth of the processor's time.
 */
export const workerArguments: string[] = ['--single-threaded-gc'];
