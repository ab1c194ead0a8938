import { Agent, request } from 'node:http';

export interface LoadResult {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface Shot {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Sends shots over a fixed number of connections for a while; a first part of the time warms up and does not count. */
export async function load(url: string, shoot: (nth: number) => Shot, { seconds, connections }: { seconds: number; connections: number }): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const warmUntil = performance.now() + seconds * 250;
  const until = warmUntil + seconds * 1_000;
  const times: number[] = [];
  let nth = 0;
  const shooter = async () => {
    while (performance.now() < until) {
      const started = performance.now();
      await send(agent, url, shoot(nth++));
      if (started >= warmUntil) times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: connections }, shooter));
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] * 100) / 100;
  return { requestsPerSecond: Math.round(times.length / seconds), p50Ms: at(0.5), p99Ms: at(0.99) };
}

function send(agent: Agent, url: string, { method, path, headers, body }: Shot): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, agent, headers: body === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) } }, (response) => {
      response.resume();
      response.on('end', () => (response.statusCode! < 300 ? resolve() : reject(new Error(`${method} ${path} answered ${response.statusCode}`))));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
