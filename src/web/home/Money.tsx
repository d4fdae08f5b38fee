import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Amount } from '../kit/feedback.ts';
import { useFormat } from '../kit/texts/format.ts';
import { Figure } from './Figure.tsx';

const pollMilliseconds = 60_000;

/** An agent's shares and what he can withdraw. */
export function Money() {
  const { today } = useFormat();
  const { data } = useCall(api.home.money, {}, { refetchInterval: pollMilliseconds });
  if (!data?.agent) return null;
  const { agent } = data;
  const ofToday = `created_from=${today()}&created_to=${today()}`;
  return (
    <div className="lc-stats lc-home-possessions">
      <Figure title="home.money.shares_today" node="agent_divided_into" route={`/customer/agent_divided_into?${ofToday}`}>
        <Amount value={agent.shares_today} />
      </Figure>
      <Figure title="home.money.shares_month" node="agent_daily_statistics" route="/customer/agent_daily_statistics">
        <Amount value={agent.shares_month} />
      </Figure>
      <Figure title="home.money.shares_total" node="agent_divided_into" route="/customer/agent_divided_into">
        <Amount value={agent.shares_total} />
      </Figure>
      <Figure title="home.money.available" node="acting_withdrawal_list" route="/customer/acting_withdrawal_list">
        <Amount value={agent.available} />
      </Figure>
    </div>
  );
}
