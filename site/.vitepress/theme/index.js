import DefaultTheme from 'vitepress/theme-without-fonts'
import DisturbedRuns from './DisturbedRuns.vue'
import ProtocolStory from './ProtocolStory.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => app.component('DisturbedRuns', DisturbedRuns).component('ProtocolStory', ProtocolStory),
}
