import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2 from 'ssh2';

const { Server, utils } = ssh2;

export type TestSshServer = {
  port: number;
  /** What was asked for, word by word, and what each shell was told. */
  commands: string[];
  /** Logins that were tried. */
  logins: { user: string; method: string }[];
  /** The processes that were started and have not ended. */
  running: () => number;
  /** Ends all connections, as a cable that is pulled does. */
  cut: () => void;
  close: () => Promise<void>;
};

type KeyPair = { private: string; public: string };

/** The library writes one key of some hundred so that it cannot be read again. */
function readable(make: () => KeyPair, passphrase?: string): KeyPair {
  for (;;) {
    const pair = make();
    if (!(utils.parseKey(pair.private, passphrase) instanceof Error)) return pair;
  }
}

export const newHostKey = (): string => readable(() => utils.generateKeyPairSync('ed25519')).private;
export const newUserKey = ({ passphrase }: { passphrase?: string } = {}): KeyPair =>
  readable(
    () =>
      passphrase === undefined
        ? utils.generateKeyPairSync('ed25519')
        : utils.generateKeyPairSync('ed25519', { passphrase, cipher: 'aes256-ctr', rounds: 4 }),
    passphrase,
  );

type Options = { hostKey?: string; password?: string; publicKey?: string; port?: number; env?: Record<string, string> };

/** A real SSH server on this machine, which starts what it is asked to as sshd does: in a session of its own, by the user's shell. */
export async function startSshServer(options: Options = {}): Promise<TestSshServer> {
  const { hostKey = newHostKey(), password, publicKey, port = 0, env = {} } = options;
  const commands: string[] = [];
  const logins: TestSshServer['logins'] = [];
  const children = new Set<ChildProcess>();
  const connections = new Set<{ end: () => unknown; _sock?: { destroy: () => void } }>();
  const allowed = publicKey === undefined ? undefined : utils.parseKey(publicKey);
  if (allowed instanceof Error) throw allowed;

  const server = new Server({ hostKeys: [hostKey] }, (client) => {
    connections.add(client as never);
    client.on('error', () => {});
    client.on('close', () => connections.delete(client as never));
    client.on('authentication', (login) => {
      logins.push({ user: login.username, method: login.method });
      if (login.method === 'password' && password !== undefined && login.password === password) return login.accept();
      const key = Array.isArray(allowed) ? allowed[0] : allowed;
      if (login.method === 'publickey' && key && login.key.data.equals(key.getPublicSSH())) {
        if (!login.signature || key.verify(login.blob ?? Buffer.alloc(0), login.signature, login.hashAlgo) === true) return login.accept();
      }
      login.reject(['publickey', 'password']);
    });
    client.on('ready', () =>
      client.on('session', (accept) => {
        const session = accept();
        session.on('exec', (acceptExec, _reject, { command }) => {
          commands.push(command);
          const channel = acceptExec();
          const child = spawn('/bin/sh', ['-c', command], { detached: true, env: { PATH: process.env.PATH ?? '', HOME: '/tmp', ...env } });
          children.add(child);
          let open = 2;
          const ended = { status: null as number | null, signal: null as string | null };
          const finish = () => {
            open -= 1;
            if (open > 0) return;
            if (ended.signal) channel.exit(ended.signal.replace(/^SIG/, ''), false, '');
            else channel.exit(ended.status ?? 1);
            channel.end();
          };
          channel.on('error', () => {});
          child.stdin.on('error', () => {});
          channel.pipe(child.stdin);
          child.stdout.on('data', (bytes) => channel.write(bytes));
          child.stderr.on('data', (bytes) => channel.stderr.write(bytes));
          child.on('exit', (status, signal) => {
            children.delete(child);
            Object.assign(ended, { status, signal });
            finish();
          });
          child.stdout.on('close', finish);
        });
      }),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    commands,
    logins,
    running: () => children.size,
    cut: () => {
      for (const connection of connections) connection._sock?.destroy();
    },
    async close() {
      for (const connection of connections) connection.end();
      for (const { pid } of children) if (pid) process.kill(-pid, 'SIGKILL');
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
