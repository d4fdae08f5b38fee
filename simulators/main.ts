/**
 * All simulators in one process, which a start with demo data runs beside the product: an overview with the hosts that WeChat blocks at the
 * given port, then the gateway, detection APIs, Telegram, group robots, mails' page and mail at the six after it, and the TRON test
 * network, where there is no real one.
 */
import { parseArgs } from 'node:util';
import { simulatorPorts } from '../src/server/demo/simulators.ts';
import { collectWhileIdle } from '../src/server/kit/idle-memory.ts';
import { startDetectionApis } from './detection-apis/detection-apis.ts';
import { startGateway } from './gateway/gateway.ts';
import { controlPage, fieldsOf, sendHtml, serveHttp } from './kit/server.ts';
import { startRobotSimulator } from './robots/robots.ts';
import { startMailSimulator } from './smtp/smtp.ts';
import { startTelegram } from './telegram/telegram.ts';
import { runTestNetwork } from './tron/embedded.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '3010' },
    token: { type: 'string' },
    blocked: { type: 'string', multiple: true, default: [] },
    'tron-port': { type: 'string' },
    'tron-folder': { type: 'string' },
  },
});
const { token, blocked, 'tron-port': tronPort, 'tron-folder': tronFolder } = values;
const ports = simulatorPorts(Number(values.port));
const network = tronPort === undefined ? undefined : runTestNetwork(Number(tronPort), tronFolder);
const gateway = await startGateway({ port: ports.gateway });
const apis = await startDetectionApis({ port: ports.apis });
const telegram = await startTelegram({ port: ports.telegram });
const robots = await startRobotSimulator({ port: ports.robots });
const mails = await startMailSimulator({ port: ports.smtp, pagePort: ports.mails });

telegram.addBot({ first_name: '活码助手', username: 'livecode_demo_bot', ...(token && { token }) });
telegram.addChat({ person: { first_name: '张伟', username: 'zhangwei' } });
telegram.addChat({ type: 'supergroup', title: '运营群' });

const hosts = new Map<string, 'normal' | 'blocked'>();
function set(host: string, state: 'normal' | 'blocked'): void {
  hosts.set(host, state);
  gateway.set(host, state);
  apis.set(host, state);
}
for (const host of blocked) set(host, 'blocked');

const links = [
  ['Gateway', gateway.url],
  ['Detection APIs', apis.url],
  ['Telegram', telegram.url],
  ['Group robots', robots.url],
  ['Mails', mails.url],
  ...(tronPort === undefined ? [] : [['TRON test network', `http://127.0.0.1:${tronPort}`]]),
]
  .map(([name, url]) => `<li><a href="${url}">${name}</a></li>`)
  .join('');
const overview = await serveHttp(async (url, request, response) => {
  if (url.pathname === '/control' && request.method === 'POST') {
    const { host = '', state } = await fieldsOf(request);
    if (host) set(host, state === 'blocked' ? 'blocked' : 'normal');
    response.writeHead(302, { location: '/' });
    response.end();
    return;
  }
  const words = '<p>What WeChat does with a host, said by its gateway and by the detection APIs.</p>';
  sendHtml(response, 200, controlPage('Simulators of the demo', ['normal', 'blocked'], hosts, `<ul>${links}</ul>${words}`));
}, ports.overview);
console.log(`Simulators of the demo: ${overview.url}`);
await network?.started;
collectWhileIdle();
process.send?.({ ready: true });

const parts = [gateway, apis, telegram, robots, mails, overview, ...(network ? [network] : [])];
const stop = () => void Promise.all(parts.map((part) => part.stop())).then(() => process.exit(0));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
process.once('disconnect', stop);
