import { presentCommon } from '../records/present.ts';
import type { Evidence } from './entity.ts';

export const presentEvidence = (evidence: Evidence) => ({
  ...presentCommon(evidence),
  order_id: evidence.orderId,
  kind: evidence.kind,
  content_type: evidence.contentType,
  size_bytes: evidence.sizeBytes,
  sha256: evidence.sha256,
  width: evidence.width,
  height: evidence.height,
  uploaded_by: evidence.uploadedBy,
});
