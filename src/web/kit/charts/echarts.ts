import { LineChart } from 'echarts/charts';
import { AriaComponent, GridComponent, MarkLineComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';

// Only what our charts draw with; this module is loaded with the first chart.
use([LineChart, GridComponent, TooltipComponent, AriaComponent, MarkLineComponent, CanvasRenderer]);

export { init };
