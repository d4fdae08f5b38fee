import { useSearchParams } from 'react-router';
import { Channels } from './Channels.tsx';
import { Outbox } from './Outbox.tsx';
import { type PushPart, pushParts } from './PushPart.tsx';
import { Rules } from './Rules.tsx';
import './pushes.css';

const contents: Record<PushPart, () => React.ReactNode> = { outbox: Outbox, rules: Rules, channels: Channels };

/** What is told to whom: what was sent, by which rules, and where. Each part has an address. */
export function ShieldPushPage() {
  const [search] = useSearchParams();
  const Content = contents[pushParts.find((one) => one === search.get('part')) ?? 'outbox'];
  return <Content />;
}
