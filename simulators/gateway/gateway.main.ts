import { startGateway } from './gateway.ts';

const { url, gateway } = await startGateway({ port: Number(process.env.PORT ?? 4010) });
console.log(`The messenger's gateway, simulated: ${gateway}; hosts are blocked at ${url}/`);
process.send?.({ ready: true, url, gateway });
process.on('disconnect', () => process.exit(0));
