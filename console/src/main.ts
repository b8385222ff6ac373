import { mount } from 'svelte';
import './parts/locale.js';
import App from './app.svelte';
import './app.css';
import { followSystemTheme } from './parts/theme.svelte.js';

followSystemTheme();
mount(App, { target: document.getElementById('app') as HTMLElement });
