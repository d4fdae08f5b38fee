import { CheckOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Home } from '../../contract/content/home.ts';
import type { NodeKey } from '../../contract/permissions.ts';
import { useSession } from '../kit/calls/session.tsx';
import { useCodesRoute } from '../kit/codes/codesScreen.ts';
import { usePreference } from '../kit/preferences.ts';

/** Without a route it leads to the list of codes. */
type Step = { name: keyof Home['steps']; node: NodeKey; route?: string };

const steps: readonly Step[] = [
  { name: 'code', node: 'qr_code_list.add', route: '/customer/set_qr_code' },
  { name: 'scan', node: 'qr_code_list' },
  { name: 'domain', node: 'domain_list.add', route: '/customer/domain_list' },
];

/** What a new user does first; gone once it is done, or when he wants it gone. */
export function Steps({ home }: { home: Home }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { allows } = useSession();
  const codes = useCodesRoute();
  const [hidden, keep] = usePreference('home.steps');
  const own = steps.filter((step) => allows(step.node));
  const next = own.find((step) => !home.steps[step.name]);
  if (!next || hidden === 'hidden') return null;
  const done = own.filter((step) => home.steps[step.name]).length;

  return (
    <section className="lc-panel" aria-labelledby="home-steps">
      <header className="lc-panel-head">
        <div>
          <h2 id="home-steps">{t('home.steps.title')}</h2>
          <p className="lc-soft">{t('home.steps.done', { done, number: own.length })}</p>
        </div>
        <Button type="text" size="small" onClick={() => keep('hidden')}>
          {t('home.steps.hide')}
        </Button>
      </header>
      <ol className="lc-home-steps">
        {own.map((step, index) => {
          const isDone = home.steps[step.name];
          return (
            <li key={step.name} className={isDone ? 'lc-home-step lc-home-step-done' : 'lc-home-step'}>
              <span className="lc-home-step-mark lc-num">
                {isDone ? <CheckOutlined aria-label={t('home.steps.is_done')} /> : index + 1}
              </span>
              <div className="lc-home-step-words">
                <b>{t(`home.steps.${step.name}`)}</b>
                <p className="lc-soft">{t(`home.steps.${step.name}_help`)}</p>
              </div>
              {!isDone && (
                <Button type={step === next ? 'primary' : 'default'} onClick={() => void navigate(step.route ?? codes())}>
                  {t(`home.steps.${step.name}_act`)}
                </Button>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
