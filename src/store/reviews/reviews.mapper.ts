import type { ReviewRow } from './reviews.repository.js';
import type { ReviewResponse } from './reviews.dto.js';

export function toReviewResponse(row: ReviewRow): ReviewResponse {
  const { username, first_name, last_name, avatar_url, ...review } = row;
  return { ...review, user: { id: row.user_id, username, first_name, last_name, avatar_url } };
}
