/** What `bench:checks` asks, in a process of its own: the messenger's gateway, commercial APIs, and an address that always answers. */
import { startDetectionApis } from '../simulators/detection-apis/detection-apis.ts';
import { startGateway } from '../simulators/gateway/gateway.ts';

const slow_ms = Number(process.argv[2] ?? 0);
const gateway = await startGateway({ slow_ms });
const apis = await startDetectionApis({ slow_ms });
process.on('message', ({ block }: { block: string }) => {
  gateway.block(block);
  apis.block(block);
});
process.on('disconnect', () => process.exit(0));
process.send?.({ gateway: gateway.gateway, apis: apis.url, control: `${apis.url}/` });
