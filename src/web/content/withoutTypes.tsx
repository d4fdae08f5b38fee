import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Allowed } from '../kit/calls/session.tsx';
import type { EmptyProps } from '../kit/feedback.ts';

type TypeScreen = 'rotation_type' | 'document_type';

function AddTypeFirst({ screen }: { screen: TypeScreen }) {
  const { t } = useTranslation();
  return (
    <Allowed node={`${screen}.add`}>
      <Link to={`/system/${screen}`}>
        <Button type="primary">{t('content.add_type_first')}</Button>
      </Link>
    </Allowed>
  );
}

/** What a list offers while there is no type to file anything under: a way to the types, in place of its own button. */
export function withoutTypes(screen: TypeScreen, { empty }: { empty: EmptyProps }) {
  const actions = <AddTypeFirst screen={screen} />;
  return { actions, empty: { ...empty, help: 'content.no_types_help', action: actions } };
}
