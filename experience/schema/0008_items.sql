-- Items: JSON values by namespace and name, for programs that bring their own idea of a store; some expire.
create table items (
    key integer primary key autoincrement,
    project text not null,
    -- the labels as a JSON list without blanks, so that a range of texts is everything below a label
    namespace text not null check (json_type(namespace) = 'array'),
    name text not null,
    value text not null check (json_valid(value)),
    created_at text not null,
    updated_at text not null,
    ttl_minutes real check (ttl_minutes > 0),
    expires_at text,
    unique (project, namespace, name)
) strict;
create index items_by_time on items (project, expires_at) where expires_at is not null;

-- What was imported from elsewhere, by a digest of its words and place: the same file adds nothing the next time.
create table imported (
    project text not null,
    digest text not null,
    at text not null,
    primary key (project, digest)
) strict, without rowid;
