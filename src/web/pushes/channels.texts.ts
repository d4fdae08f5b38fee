import type { Channel, PushDelivery } from '../../contract/detection/shield-push.ts';
import type { StatusKind } from '../kit/feedback.ts';

/** How a channel is called in lists and questions: by its own name, else by where it leads, else by its kind. */
export const channelName = ({ name, target, kind }: Pick<Channel, 'name' | 'target' | 'kind'>): string =>
  name || target || `shield_push.kind_${kind}`;

type ChannelState = 'on' | 'failing' | 'off' | 'stopped' | 'unconfirmed';

export function channelState({ enabled, stopped, failing_since, confirmed_at }: Channel): ChannelState {
  if (confirmed_at === null) return 'unconfirmed';
  if (!enabled) return stopped ? 'stopped' : 'off';
  return failing_since ? 'failing' : 'on';
}

export const channelStateKinds: Record<ChannelState, StatusKind> = {
  on: 'success',
  failing: 'warning',
  off: 'neutral',
  stopped: 'error',
  unconfirmed: 'warning',
};

export const deliveryKinds: Record<PushDelivery['state'], StatusKind> = {
  waiting: 'info',
  delivered: 'success',
  failed: 'error',
  seen: 'neutral',
};
