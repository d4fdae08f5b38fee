import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** A proxy that is asked by CONNECT and leads everything to one port of this machine, whatever name it was asked for. */
export async function startProxy(port: number) {
  const asked: string[] = [];
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connect', (request, socket, head) => {
    asked.push(request.url ?? '');
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket);
      socket.pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Host and port of each connection, oldest first. */
    asked,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
