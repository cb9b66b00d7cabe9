-- Catalogs of an owner and posts of a profile in the order of their lists: the link repeats the time.
alter table account_catalogs add column catalog_created_at timestamptz;
update account_catalogs set catalog_created_at = catalogs.created_at from catalogs where catalogs.id = catalog_id;
create function account_catalogs_take_time() returns trigger language plpgsql as $$
begin
  select created_at into new.catalog_created_at from catalogs where id = new.catalog_id;
  return new;
end $$;
create trigger account_catalogs_time before insert on account_catalogs
  for each row execute function account_catalogs_take_time();
create index account_catalogs_latest on account_catalogs (account_id, catalog_created_at desc, catalog_id);

alter table social_posts add column published_at timestamptz;
update social_posts set published_at = posts.published_at from posts where posts.id = post_id;
create function social_posts_take_time() returns trigger language plpgsql as $$
begin
  select published_at into new.published_at from posts where id = new.post_id;
  return new;
end $$;
create trigger social_posts_time before insert on social_posts
  for each row execute function social_posts_take_time();
-- A later scrape may correct the time of a post.
create function posts_give_time() returns trigger language plpgsql as $$
begin
  update social_posts set published_at = new.published_at where post_id = new.id;
  return null;
end $$;
create trigger posts_time after update of published_at on posts
  for each row when (old.published_at is distinct from new.published_at) execute function posts_give_time();
create index social_posts_latest on social_posts (social_id, published_at desc, post_id);
