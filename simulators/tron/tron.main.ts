import { collectWhileIdle } from '../../src/server/kit/idle-memory.ts';
import { runTestNetwork } from './embedded.ts';

// The embedded test network, which a start without a real one and without demo data runs beside the product:
// `node simulators/tron/tron.main.ts [port] [folder]`.
const [port = '3020', folder] = process.argv.slice(2);
const network = runTestNetwork(Number(port), folder);
const stop = () => void network.stop().then(() => process.exit(0));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
process.on('disconnect', stop);

await network.started;
collectWhileIdle();
process.send?.({ ready: true });
const url = await network.answers;
if (!process.send) console.log(`The TRON test network is at ${url}`);
