import { LockOutlined } from '@ant-design/icons';
import { Input, type InputProps } from 'antd';

/** A large line of text as the forms before the login have it; what the visitor types is not corrected. */
export const LineInput = (props: InputProps) => <Input size="large" autoCapitalize="none" spellCheck={false} maxLength={64} {...props} />;

export const PasswordInput = (props: InputProps) => (
  <Input.Password size="large" prefix={<LockOutlined aria-hidden />} maxLength={200} {...props} />
);
