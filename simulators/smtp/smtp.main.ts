import { startMailSimulator } from './smtp.ts';

const [port = '2525', pagePort = '2580'] = process.argv.slice(2);
const simulator = await startMailSimulator({ port: Number(port), pagePort: Number(pagePort) });
process.stdout.write(`mails to ${simulator.host}:${simulator.port}, shown at ${simulator.url}\n`);
process.send?.({ ready: true, port: simulator.port, url: simulator.url });
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void simulator.stop().then(() => process.exit(0)));
