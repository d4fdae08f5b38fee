import { startTelegram } from './telegram.ts';

// The simulator of the Bot API by itself: `node simulators/telegram/telegram.main.ts [port] [token of a bot]`.
const [port = '3010', token] = process.argv.slice(2);
const telegram = await startTelegram({ port: Number(port) });
const bot = telegram.addBot({ first_name: '活码助手', username: 'livecode_demo_bot', ...(token ? { token } : {}) });
telegram.addChat({ person: { first_name: '张伟', username: 'zhangwei' } });
telegram.addChat({ type: 'supergroup', title: '运营群' });
console.log(`Telegram is simulated at ${telegram.url}; the bot's token is ${bot.token}`);
process.send?.({ ready: true, url: telegram.url, token: bot.token });

const stop = () => void telegram.stop().then(() => process.exit(0));
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('disconnect', stop);
