import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  observe(request: { method: string; route: string; status: number; seconds: number }): void;
  backlog: Gauge<'queue'>;
  text(): Promise<string>;
  contentType: string;
}

/** Figures in the Prometheus text format. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const labelNames = ['method', 'route', 'status'] as const;
  const requests = new Counter({ name: 'milkrun_http_requests_total', help: 'Requests by route template and status.', labelNames, registers: [registry] });
  const seconds = new Histogram({ name: 'milkrun_http_request_seconds', help: 'Time from the request to the answer.', labelNames, buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10], registers: [registry] });
  const backlog = new Gauge({ name: 'milkrun_queue_backlog', help: 'Jobs that wait or are in hand.', labelNames: ['queue'], registers: [registry] });
  return {
    observe({ method, route, status, seconds: took }) {
      const labels = { method, route, status: String(status) };
      requests.inc(labels);
      seconds.observe(labels, took);
    },
    backlog,
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
