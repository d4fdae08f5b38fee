declare module '@20minutes/s3rver' {
  import type { AddressInfo } from 'node:net';

  /** The little of the S3 server that tests use; the package brings no types. */
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      vhostBuckets: boolean;
      configureBuckets: { name: string }[];
    });
    /** Of Koa, whose application it is. */
    middleware: ((context: { path: string; headers: Record<string, unknown> }, next: () => Promise<void>) => Promise<void>)[];
    run(): Promise<AddressInfo>;
    close(): Promise<void>;
  }
}
