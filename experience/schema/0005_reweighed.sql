-- The experiences that weigh more than their age says: used again, or vouched for. All others lose weight in the order
-- they came, so that a search may look at the newest first and stop; these few it looks at apart.
create index experiences_reweighed on experiences (key) where last_used_at > created_at or verified_count > 0;
