import { startRobotSimulator } from './robots.ts';

const [port = '2590'] = process.argv.slice(2);
const simulator = await startRobotSimulator({ port: Number(port) });
const robots = [simulator.add('wecom'), simulator.add('dingtalk', 'SECsimulated'), simulator.add('feishu', 'simulated')];
process.stdout.write(`robots at ${simulator.url}\n${robots.map(({ url, secret }) => `${url} ${secret}`.trim()).join('\n')}\n`);
process.send?.({ ready: true, url: simulator.url, bases: simulator.bases, robots });
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void simulator.stop().then(() => process.exit(0)));
