import react from '@vitejs/plugin-react';
import { betwixt } from 'betwixt/vite';
import { defineConfig } from 'vite';

export default defineConfig({ plugins: [react(), betwixt()] });
