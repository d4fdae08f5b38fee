export { isProgram } from './facts/agent-source.ts';
