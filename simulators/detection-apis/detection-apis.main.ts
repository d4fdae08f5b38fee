import { startDetectionApis } from './detection-apis.ts';

const { url } = await startDetectionApis({ port: Number(process.env.PORT ?? 4011) });
console.log(`Commercial detection APIs, simulated: ${url}/data-status, /code, /err-code and /flag; hosts are blocked at ${url}/`);
process.send?.({ ready: true, url });
process.on('disconnect', () => process.exit(0));
