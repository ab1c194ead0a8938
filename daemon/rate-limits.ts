import { isIPv6 } from 'node:net';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Logger } from 'pino';
import type { Config } from '../core/config.ts';
import { ApiError } from '../core/contract/errors.ts';

/** `credential`: everything that one session or key asks for. `address`: what comes without one, to sign up or in. */
export type LimitName = 'credential' | 'address';

export interface RateLimits {
  /** Counts a request. The headers that tell what is left; nothing where there is no limit. Throws where there is nothing left. */
  count(name: LimitName, of: string): Promise<Record<string, string>>;
  close(): Promise<void>;
}

const windowSeconds = 60;

interface Limit {
  requests: number;
  limiter: RateLimiterAbstract;
}

/** Counts in this process, or in Redis for all of them. Where Redis does not answer, each process counts for itself. */
export function openRateLimits(config: Pick<Config, 'requestsPerMinute' | 'signInsPerMinute' | 'redisUrl'>, log: Logger): RateLimits {
  const requests: Record<LimitName, number | null> = { credential: config.requestsPerMinute, address: config.signInsPerMinute };
  const isOn = Object.values(requests).some((each) => each !== null);
  const redis = isOn && config.redisUrl !== null ? connect(config.redisUrl, log) : null;
  const limits = new Map<LimitName, Limit>();
  for (const [name, points] of Object.entries(requests) as [LimitName, number | null][]) {
    if (points !== null) limits.set(name, { requests: points, limiter: limiterOf(name, points, redis) });
  }
  return {
    async count(name, of) {
      const limit = limits.get(name);
      if (limit === undefined) return {};
      try {
        return headersOf(name, limit, await limit.limiter.consume(name === 'address' ? networkOf(of) : of));
      } catch (thrown) {
        if (!(thrown instanceof RateLimiterRes)) throw thrown;
        const seconds = secondsLeft(thrown);
        throw new ApiError(429, 'rate_limited', `more than ${limit.requests} requests in a minute; try again in ${seconds} s`, { headers: { ...headersOf(name, limit, thrown), 'Retry-After': String(seconds) } });
      }
    },
    async close() {
      redis?.disconnect();
    },
  };
}

function connect(url: string, log: Logger): Redis {
  // A request never waits for a connection: while there is none, it is counted here.
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 500, disconnectTimeout: 200 });
  redis.on('error', (error) => log.warn({ err: error }, 'rate limits: Redis does not answer'));
  return redis;
}

function limiterOf(name: LimitName, points: number, redis: Redis | null): RateLimiterAbstract {
  const options = { keyPrefix: `milkrun:rate:${name}`, points, duration: windowSeconds };
  const memory = new RateLimiterMemory(options);
  return redis === null ? memory : new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true, insuranceLimiter: memory });
}

/** As in draft-ietf-httpapi-ratelimit-headers, versions 08 to 11. */
function headersOf(name: LimitName, limit: Limit, result: RateLimiterRes): Record<string, string> {
  return {
    'RateLimit-Policy': `"${name}";q=${limit.requests};w=${windowSeconds}`,
    RateLimit: `"${name}";r=${Math.max(0, result.remainingPoints)};t=${secondsLeft(result)}`,
  };
}

const secondsLeft = (result: RateLimiterRes): number => Math.max(1, Math.ceil(result.msBeforeNext / 1_000));

/** Somebody with IPv6 has a whole /64 to send from. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head, tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
  return `${groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
