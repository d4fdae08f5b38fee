import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const packageIn = (...names: string[]) => new RegExp(`[\\\\/]node_modules[\\\\/](${names.join('|')})[\\\\/]`);

/** One chunk per language, so that a visitor loads the messages of one language only, in one request. */
const languageOf = (id: string) => {
  const language = /[\\/]src[\\/]locales[\\/]([^\\/]+)[\\/]/.exec(id)?.[1];
  return language ? `messages-${language}` : null;
};

const backOffice = `http://localhost:${process.env.LIVECODE_PORT || 3000}`;

export default defineConfig({
  root: 'src/web',
  plugins: [react()],
  server: {
    port: 5173,
    proxy: { '/api': { target: backOffice, ws: true }, '/file': backOffice },
  },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    sourcemap: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: languageOf, debugName: 'messages', priority: 40 },
            { name: 'react', test: packageIn('react', 'react-dom', 'scheduler', 'react-router'), priority: 30 },
            { name: 'echarts', test: packageIn('echarts', 'zrender'), priority: 20 },
          ],
        },
      },
    },
  },
});
