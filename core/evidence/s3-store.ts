import type { Readable } from 'node:stream';
import type * as Sdk from '@aws-sdk/client-s3';
import type { ObjectStore } from './object-store.ts';

/**
 * Objects in a bucket of S3 or of a store that speaks like it. Region, credentials and endpoint come from where every program of this
 * kind takes them: AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL_S3, profiles, roles.
 */
export function openS3Store(location: string): ObjectStore {
  const { bucket, prefix } = partsOf(location);
  let opening: Promise<Connection> | undefined;
  const open = () => (opening ??= connect());
  return {
    async put(key, bytes, contentType) {
      const { sdk, client } = await open();
      await client.send(new sdk.PutObjectCommand({ Bucket: bucket, Key: prefix + key, Body: bytes, ContentLength: bytes.length, ContentType: contentType }));
    },
    async read(key) {
      const { sdk, client } = await open();
      try {
        return (await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: prefix + key }))).Body as Readable;
      } catch (error) {
        if (error instanceof sdk.NoSuchKey || error instanceof sdk.NotFound) return null;
        throw error;
      }
    },
    async *list() {
      const { sdk, client } = await open();
      for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
        for (const { Key: key = '', LastModified: modifiedAt } of page.Contents ?? []) {
          if (modifiedAt) yield { key: key.slice(prefix.length), modifiedAt };
        }
      }
    },
    async remove(key) {
      const { sdk, client } = await open();
      await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: prefix + key }));
    },
    close() {
      void opening?.then(({ client }) => client.destroy(), () => {});
    },
  };
}

function partsOf(location: string): { bucket: string; prefix: string } {
  const [bucket, ...folders] = location.slice('s3://'.length).split('/');
  const prefix = folders.filter(Boolean).join('/');
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/` };
}

interface Connection {
  sdk: typeof Sdk;
  client: Sdk.S3Client;
}

/** The library is large, and most services keep evidence in files: it is loaded where it is needed. */
async function connect(): Promise<Connection> {
  const sdk = await import('@aws-sdk/client-s3');
  const { AWS_REGION: region, AWS_DEFAULT_REGION: otherRegion, AWS_ENDPOINT_URL_S3: endpoint, AWS_ENDPOINT_URL: otherEndpoint } = process.env;
  const client = new sdk.S3Client({
    region: region ?? otherRegion ?? 'us-east-1',
    // Stores that are not Amazon's are seldom set up for a host name of each bucket, and not all know the newer checksums.
    forcePathStyle: Boolean(endpoint ?? otherEndpoint),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
  });
  return { sdk, client };
}
